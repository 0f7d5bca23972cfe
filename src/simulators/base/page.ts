import { type Context, Hono, type MiddlewareHandler } from "hono";
import { html } from "hono/html";
import { join } from "node:path";

export type Content = ReturnType<typeof html> | string;

type Files = { sheets: string[]; script?: string };

/** A whole page, with the style sheets and the script that `assets` serves. */
export function document(title: string, content: Content, { sheets, script }: Files): Content {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        ${sheets.map((sheet) => html`<link rel="stylesheet" href="/_assets/${sheet}" />`)}
        ${script === undefined ? "" : html`<script src="/_assets/${script}" defer></script>`}
      </head>
      <body>
        ${content}
      </body>
    </html>`;
}

/** Style sheets and scripts: the simulator's own from its folder, and the one shared by all simulators. */
export function assets(folder: string, names: string[]): Hono {
  const app = new Hono();
  const serve = (name: string, path: string) =>
    app.get(`/_assets/${name}`, () => {
      return new Response(Bun.file(path), { headers: { "x-content-type-options": "nosniff" } });
    });
  for (const name of names) serve(name, join(folder, name));
  serve("page.css", join(import.meta.dir, "page.css"));
  return app;
}

/**
 * A strict policy for a simulator's page: only its own styles, scripts and frames, nothing inline. Browsers apply
 * `form-action` also to redirects after a form, so the policy lists their targets.
 */
export function pageHeaders(c: Context, formsMayLeadTo: Iterable<string> = []) {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-src 'self'",
    `form-action ${["'self'", ...formsMayLeadTo].join(" ")}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  c.header("Content-Security-Policy", policy.join("; "));
  c.header("X-Content-Type-Options", "nosniff");
  c.header("Referrer-Policy", "no-referrer");
  c.header("Cache-Control", "no-store");
}

/** Refuses requests from other sites' pages. Programs send neither of these headers. */
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
