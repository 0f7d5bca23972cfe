import type { Context } from "hono";
import type { OAuthError } from "@/contract/wire/sign-in";
import { type RefusalCode, refusals } from "@/contract/vocabulary/refusals";

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
