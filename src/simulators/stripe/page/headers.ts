import type { Context, MiddlewareHandler } from "hono";
import type Stripe from "stripe";

/** A strict policy: own style and script, no inline ones, nothing from elsewhere, no frames. */
export function pageHeaders(c: Context, session?: Stripe.Checkout.Session) {
  // Browsers hold redirects after a form to `form-action` too, so the shop's own pages must stand in it.
  const back = [session?.success_url, session?.cancel_url].flatMap((url) =>
    url && URL.canParse(url) ? [new URL(url).origin] : [],
  );
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self' data:",
    `form-action ${["'self'", ...new Set(back)].join(" ")}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  c.header("Content-Security-Policy", policy.join("; "));
  c.header("X-Content-Type-Options", "nosniff");
  c.header("X-Frame-Options", "DENY");
  c.header("Referrer-Policy", "no-referrer");
  c.header("Cache-Control", "no-store");
}

/** No other site's page may pay or press buttons here. Programs send neither header. */
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
