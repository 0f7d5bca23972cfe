import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import { Refusal } from "@/core/base/refusal";
import type { Env, Shop } from "./shop";

/**
 * Refuses larger bodies with `body_too_large`. Most requests say how long theirs is. Hono touches `request.body` even then,
 * which makes Bun read it as a stream, more slowly.
 */
export function limitBody(maxSize: number): MiddlewareHandler {
  const counted = bodyLimit({ maxSize, onError: refuseLarge });
  return async (c, next) => {
    const length =
      c.req.header("transfer-encoding") === undefined ? c.req.header("content-length") : undefined;
    if (length === undefined) return counted(c, next);
    if (Number.parseInt(length, 10) > maxSize) refuseLarge();
    return next();
  };
}

/**
 * The bytes of a body of at most `most`; refuses a larger one with `body_too_large`. Call it only once its sender is known
 * and has a turn: it is held in memory, and a body that doesn't say how long it is had to be read to be bounded.
 */
export async function bytesOf(c: Context, most: number): Promise<Uint8Array<ArrayBuffer>> {
  let bytes = new Uint8Array();
  await limitBody(most)(c, async () => {
    bytes = new Uint8Array(await c.req.arrayBuffer());
  });
  return bytes;
}

function refuseLarge(): never {
  throw new Refusal("body_too_large");
}

/** How deep a client's JSON may nest. No call needs more than six levels, and parsing deep ones is slow. */
const mostLevels = 32;

/** Refusals of the body itself, which no call of ours could have sent. */
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
 * Bounds the cost of refused bodies: refuses JSON that nests too deep before parsing it, and turns an address away,
 * before reading another body, after too many refused ones.
 */
export const boundedBodies = (shop: Shop) =>
  createMiddleware<Env>(async (c, next) => {
    if (withoutBody.has(c.req.method)) return next();
    // counts before reading, so that concurrent requests count too
    const wasFine = shop.memory.spendByAddress(shop.limits["refused-body"], c.get("address"));
    c.req.json = async <T>() => parseBody(await shallowText(c)) as T;
    await next();
    if (!ofTheBody.has(c.get("refused") ?? "")) wasFine();
    return undefined;
  });

/** The raw body; refuses with `invalid_json` if it is not UTF-8 (RFC 8259, 8.1) or nests too deep to parse. */
export async function shallowText(c: Context): Promise<string> {
  const text = fromUtf8(await c.req.arrayBuffer());
  if (text === null || nestsDeeper(text, mostLevels)) throw new Refusal("invalid_json");
  return text;
}

/** The escape of one half of a surrogate pair; the other half may follow it. */
const halfEscaped = /\\u[dD][89a-fA-F]/;

/**
 * Parses a body. JSON can spell a lone half of a surrogate pair (RFC 8259, 8.2), which neither a URL nor UTF-8 can hold: it
 * is read as U+FFFD, as everywhere on the web.
 */
export const parseBody = (text: string): unknown =>
  halfEscaped.test(text)
    ? JSON.parse(text, (_, value: unknown) => (typeof value === "string" ? value.toWellFormed() : value))
    : JSON.parse(text);

const utf8 = new TextDecoder("utf-8", { fatal: true });

function fromUtf8(bytes: ArrayBuffer): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

const [quote, backslash] = [0x22, 0x5c];
const opens = (code: number) => code === 0x5b || code === 0x7b;
const closes = (code: number) => code === 0x5d || code === 0x7d;

/**
 * Whether JSON text nests deeper than `most` levels, in one pass that stops once it knows. For text that is not JSON,
 * counts at least the levels that a parser would read before giving up.
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
