import { html } from "hono/html";

type Content = ReturnType<typeof html>;

export function document(title: string, content: Content): Content {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} · Demo checkout</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/_assets/checkout.css" />
        <script src="/_assets/checkout.js" defer></script>
      </head>
      <body>
        <p class="banner">
          <strong>Demo checkout</strong> No real money moves here. Don’t enter a real card.
        </p>
        ${content}
      </body>
    </html>`;
}
