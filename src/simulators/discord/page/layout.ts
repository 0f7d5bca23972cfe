import { html } from "hono/html";
import { type Content, actionForm } from "../../actions";
import type { DiscordActions } from "../control/actions";
import type { Json } from "../rows";
import type { View } from "./view";

/** A whole page; a `live` one follows what happens in the server. */
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

/** Forms that come back to the person and the channel of this view. */
export const formsOf = ({ me, channel }: View) =>
  actionForm<DiscordActions>({ as: me.id, channel: channel?.id ?? "" });

/** A page waits only for the first answer: what comes later is shown when it comes. */
export const briefly = { until: "ack", timeout_ms: 3100 } as const;

export function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? (value as Json[]) : [];
}

export function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
