import { html, raw } from "hono/html";
import type { Faults } from "../faults";

/** The switches for what goes wrong on purpose. */
export function faultForm({ api, webhooks }: Faults) {
  const [next] = api.next;
  return html`<section aria-labelledby="faults">
    <h2 id="faults">Faults</h2>
    <form class="faults" method="post" action="/_do/faults">
      ${number("latencyMs", "API answers after (ms)", api.latencyMs)}
      ${choice("away", "API away: every connection is cut", api.away)}
      <label>
        The next calls fail with
        <select name="fail">
          <option value="">nothing</option>
          ${["402", "429", "500", "503", "drop"].map(
            (fail) => html`<option ${raw(String(next?.fail) === fail ? "selected" : "")}>${fail}</option>`,
          )}
        </select>
      </label>
      ${number("count", "so many calls", next?.count ?? 1)}
      ${choice("drop", "Webhooks: all lost", webhooks.drop === "all")}
      ${number("repeat", "Webhooks: each sent so often", webhooks.repeat)}
      ${number("delayMs", "Webhooks: sent after (ms)", webhooks.delayMs)}
      ${number("shuffleMs", "Webhooks: shuffled within (ms)", webhooks.shuffleMs)}
      <button>Set</button>
    </form>
    <form method="post" action="/_do/faults-off"><button>All well again</button></form>
  </section>`;
}

function number(name: string, label: string, value: number) {
  return html`<label
    >${label} <input name="${name}" inputmode="numeric" pattern="[0-9]+" value="${value}" required
  /></label>`;
}

function choice(name: string, label: string, on: boolean) {
  return html`<label class="choice"
    ><input type="checkbox" name="${name}" ${raw(on ? "checked" : "")} /> ${label}</label
  >`;
}
