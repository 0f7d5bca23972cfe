import type { Context } from "hono";
import type { z } from "zod";
import type { OAuthError } from "@/contract/wire/sign-in";
import { type RefusalCode, refusals } from "@/contract/vocabulary/refusals";
import { Refusal } from "@/core/base/refusal";
import { parseBody, shallowText } from "./json-body";

/** The calls that answer in OAuth's form, whatever happens to them. */
const oauthCalls = /^\/api\/app\/v1\/device\/(code|token)\/?$/;
export const isOAuth = (c: Context): boolean => oauthCalls.test(c.req.path);

/** A refusal in OAuth's form (RFC 6749 §5.2); a limit is `slow_down`. */
export function oauthRefusalOf(code: RefusalCode): {
  error: OAuthError;
  status: (typeof refusals)[RefusalCode]["status"];
} {
  const { status } = refusals[code];
  if (code === "rate_limited") return { error: "slow_down", status };
  if (code === "internal") return { error: "server_error", status };
  return {
    error: status >= 500 ? "temporarily_unavailable" : "invalid_request",
    status: status >= 500 ? status : 400,
  };
}

const form = /^application\/x-www-form-urlencoded\s*(;|$)/i;
const json = /^application\/json\s*(;|$)/i;

/** The body of an OAuth call, as JSON or as a form in which no field is repeated (RFC 6749 §3.1). */
export async function oauthBody<S extends z.ZodType>(c: Context, schema: S): Promise<z.infer<S>> {
  const type = c.req.header("content-type") ?? "application/json";
  if (!form.test(type) && !json.test(type)) throw new Refusal("unsupported_media_type");
  const text = await shallowText(c);
  const { success, data } = schema.safeParse(form.test(type) ? fieldsIn(text) : parseJson(text));
  if (!success) throw new Refusal("invalid_field");
  return data;
}

function fieldsIn(text: string): Record<string, string> {
  const all = [...new URLSearchParams(text)];
  if (new Set(all.map(([name]) => name)).size < all.length) throw new Refusal("invalid_field");
  return Object.fromEntries(all);
}

function parseJson(text: string): unknown {
  try {
    return parseBody(text);
  } catch {
    throw new Refusal("invalid_json");
  }
}
