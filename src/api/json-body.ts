import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { Refusal } from "@/core/refusal";
import type { Env, Shop } from "./shop";

/** How deep a client's JSON may nest. No call needs more than six levels, and parsing deep ones is slow. */
const mostLevels = 32;

/** Refusals of the body itself: what was sent is no call of ours. */
const ofTheBody = new Set([
  "invalid_json",
  "invalid_field",
  "body_too_large",
  "unsupported_media_type",
  "webhook_malformed",
  "webhook_signature_invalid",
]);

const withoutBody = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Bounds what refused bodies cost: JSON that nests too deep is refused before it is parsed, and an address that sent
 * many bodies that had to be refused is turned away before its next one is read.
 */
export const boundedBodies = (shop: Shop) =>
  createMiddleware<Env>(async (c, next) => {
    if (withoutBody.has(c.req.method)) return next();
    // counted at the start, so that many at once count too
    const wasFine = shop.memory.spendByAddress(shop.limits["refused-body"], c.get("address"));
    c.req.json = async <T>() => JSON.parse(await shallowText(c)) as T;
    await next();
    if (!ofTheBody.has(c.get("refused") ?? "")) wasFine();
    return undefined;
  });

/** The body's text as it came; refuses with `invalid_json` if it nests too deep to be parsed. */
export async function shallowText(c: Context): Promise<string> {
  const text = await c.req.text();
  if (nestsDeeper(text, mostLevels)) throw new Refusal("invalid_json");
  return text;
}

const [quote, backslash] = [0x22, 0x5c];
const opens = (code: number) => code === 0x5b || code === 0x7b;
const closes = (code: number) => code === 0x5d || code === 0x7d;

/**
 * Whether JSON text nests deeper than so many levels, in one pass that ends where it is sure. Text that is not JSON gets
 * the answer for the part of it that a parser would read before giving up, or a higher one.
 */
export function nestsDeeper(text: string, most: number): boolean {
  let level = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === backslash) at += 1;
      else if (code === quote) inString = false;
    } else if (code === quote) inString = true;
    else if (opens(code)) {
      level += 1;
      if (level > most) return true;
    } else if (closes(code)) level -= 1;
  }
  return false;
}
