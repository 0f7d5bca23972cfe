import { html } from "hono/html";
import { hidden } from "./components";
import type { Content } from "./document";
import type { View } from "./view";

const item = (deed: string, label: string, on = false) =>
  html`<button name="trouble" value="${deed}" aria-pressed="${on}">${label}</button>`;

/** Switches for what may go wrong, and how calls went. */
export function troubleHtml(view: View): Content {
  const { faults, tally } = view.world;
  return html`<details>
    <summary>Trouble <span class="quiet">${tally.requests} calls, ${tally.invalid} invalid</span></summary>
    <form method="post" action="/_do/trouble" class="row">
      ${hidden(view)}
      ${item("api-away", faults.api.away ? "API: come back" : "API: go away", faults.api.away)}
      ${item("gateway-away", faults.gateway.away ? "Gateway: come back" : "Gateway: go away", faults.gateway.away)}
      ${item("gateway-mute", faults.gateway.mute ? "Gateway: speak" : "Gateway: fall silent", faults.gateway.mute)}
      ${item("cut", "Cut the line")} ${item("reconnect", "Ask to reconnect")} ${item("429", "Next call: 429")}
      ${item("500", "Next call: 500")} ${item("role", "Swap the bot's role with Premium")}
    </form>
  </details>`;
}
