import { html } from "hono/html";
import { document } from "../../base/page";

/** The bank asks a cardholder to confirm; the form sends `fields` on, with their answer. */
export function bankPage(action: string, fields: Record<string, string>) {
  const hidden = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  return document(
    "Your bank · Demo",
    html`<header class="banner"><strong>Demo bank</strong> It plays the cardholder’s bank.</header>
      <main class="closed">
        <h1>Is this you?</h1>
        <p>Your bank asks you to confirm this payment (3D Secure).</p>
        <form method="post" action="${action}">
          ${hidden}
          <button class="primary" name="answer" value="confirm">Confirm</button>
          <button name="answer" value="refuse">This is not me</button>
        </form>
      </main>`,
    { sheets: ["page.css", "checkout.css"] },
  );
}
