import { html } from "hono/html";
import { controlForms } from "../base/actions";
import { type Content, document } from "../base/page";
import type { WebhookActions } from "./actions";
import type { Answers } from "./answers";
import type { Inbox, Received } from "./inbox";

type Inputs = {
  inbox: Inbox;
  answers: Answers;
  actions: WebhookActions;
  endpoint: string;
  problem: string | undefined;
};

export function receivedPage({ inbox, answers, actions, endpoint, problem }: Inputs): Content {
  const form = controlForms(actions);
  const all = inbox.list();
  return document(
    "Webhooks",
    html`<div class="sheet">
      <header class="row">
        <h1>Webhooks</h1>
        <span class="quiet">simulator, nothing leaves this machine</span>
        <a class="button plain" href="/">Refresh</a>
      </header>
      <main>
        ${problem === undefined ? "" : html`<p class="problem" role="alert">${problem}</p>`}
        <p>Plays another system that receives webhooks, at <code>${endpoint}</code>.</p>
        <section aria-labelledby="answers">
          <h2 id="answers">
            What it answers
            <span class="quiet">
              accept 204, or 401 to what is not verified; fail 500; busy 503; gone 410; redirect 307
            </span>
          </h2>
          ${form("answer", {}, { now: answers.current() })}
        </section>
        <section aria-labelledby="secret">
          <h2 id="secret">Secret <span class="quiet">${knownSecrets[inbox.secrets().length]}</span></h2>
          ${form("secret")}
        </section>
        <section aria-labelledby="received">
          <h2 id="received">What arrived</h2>
          ${all.length === 0 ? html`<p>Nothing yet.</p>` : ""}
          <ol>
            ${all.map(one)}
          </ol>
          ${all.length === 0 ? "" : form("clear", {}, { label: "Forget all of it" })}
        </section>
      </main>
    </div>`,
    { sheets: ["page.css", "webhooks.css"] },
  );
}

const knownSecrets = [
  "it has none, so it verifies nothing",
  "it verifies with the one it was given",
  "it verifies with the newest two it was given",
];

function one(received: Received): Content {
  const { receivedAt, webhookId, problem, repeat, answered, body } = received;
  const { type, sequence, whole } = read(body);
  return html`<li class="card">
    <div class="row">
      <strong>${type ?? "not an event"}</strong>
      <span class="badge ${problem === null ? "good" : "bad"}">
        ${problem === null ? "verified" : `not verified: ${problem}`}
      </span>
      ${repeat > 0 ? html`<span class="badge open">sent again, ${repeat + 1} times so far</span>` : ""}
      <span class="badge ${answered === "204" ? "plain" : "open"}">answered ${answered}</span>
      ${time(receivedAt)}
    </div>
    <div class="row quiet">
      ${sequence === null ? "" : html`<span>sequence ${sequence}</span>`}
      <code>${webhookId ?? "without an id"}</code>
    </div>
    <details>
      <summary>Body</summary>
      <pre>${whole}</pre>
    </details>
  </li>`;
}

/** The fields that the page shows, if the body is an event. */
function read(body: string): { type: string | null; sequence: number | null; whole: string } {
  try {
    const event = JSON.parse(body) as { type?: unknown; data?: { sequence?: unknown } } | null;
    const sequence = event?.data?.sequence;
    return {
      type: typeof event?.type === "string" ? event.type : null,
      sequence: typeof sequence === "number" ? sequence : null,
      whole: JSON.stringify(event, null, 2),
    };
  } catch {
    return { type: null, sequence: null, whole: body };
  }
}

const time = (at: string): Content =>
  html`<time datetime="${at}">${at.slice(0, 10)} ${at.slice(11, 19)} UTC</time>`;
