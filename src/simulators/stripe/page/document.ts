import { html } from "hono/html";
import type { Content } from "../../actions";

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

/** An amount in minor units as people read it, such as `$5.00`. */
export function money(amount: number | null, currency: string | null): string {
  const format = new Intl.NumberFormat("en-US", { style: "currency", currency: currency ?? "usd" });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format((amount ?? 0) / 10 ** digits);
}
