import type { Context, MiddlewareHandler } from "hono";

/**
 * A strict policy for a simulator's page: its own styles and scripts only, none inline, and no frames. Browsers apply
 * `form-action` to redirects after a form too, so their targets are named.
 */
export function pageHeaders(c: Context, formsMayLeadTo: Iterable<string> = []) {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    `form-action ${["'self'", ...formsMayLeadTo].join(" ")}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  c.header("Content-Security-Policy", policy.join("; "));
  c.header("X-Content-Type-Options", "nosniff");
  c.header("X-Frame-Options", "DENY");
  c.header("Referrer-Policy", "no-referrer");
  c.header("Cache-Control", "no-store");
}

/** No other site's page may act here. Programs send neither of these headers. */
export const sameOriginOnly: MiddlewareHandler = async (c, next) => {
  const site = c.req.header("sec-fetch-site");
  const origin = c.req.header("origin");
  const own = new URL(c.req.url).host;
  const foreign =
    site === undefined
      ? origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== own)
      : site !== "same-origin" && site !== "none";
  if (foreign) return c.text("This request comes from another site.", 403);
  return next();
};
