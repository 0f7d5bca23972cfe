import { html } from "hono/html";

export type Content = ReturnType<typeof html>;

/** A whole page; `live` follows what happens in the server. */
export function document(title: string, content: Content, live = false): Content {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="dark" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/_assets/server.css" />
        ${live ? html`<script src="/_assets/live.js" defer></script>` : ""}
      </head>
      <body>
        ${content}
      </body>
    </html>`;
}
