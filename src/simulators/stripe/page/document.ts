import { html } from "hono/html";

export type Content = ReturnType<typeof html>;

/** A whole page; `sheet` names its style. */
export function document(
  title: string,
  content: Content,
  sheet: "checkout" | "control" = "checkout",
): Content {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/_assets/${sheet}.css" />
        ${sheet === "checkout" ? html`<script src="/_assets/checkout.js" defer></script>` : ""}
      </head>
      <body>
        ${content}
      </body>
    </html>`;
}
