import { Hono } from "hono";
import { html } from "hono/html";
import { document, pageHeaders } from "../../base/page";
import { money } from "../money/totals";
import type { Courier } from "../courier";
import type { World } from "../world";
import { type Standing, standing } from "./billing-report";
import { buttonsOf, buttonsOfSubscription, faultButtons } from "./buttons";
import { type Account, accountOf, deliveryLog } from "./report";

const sessionsShown = 50;
const eventsShown = 60;

export function controlPage(world: World, events: Courier): Hono {
  const app = new Hono();
  app.get("/", (c) => {
    pageHeaders(c);
    return c.html(page(world, events, c.req.query("problem")));
  });
  return app;
}

function page(world: World, events: Courier, problem: string | undefined) {
  const newest = world.ledger.checkouts.newest().slice(0, sessionsShown);
  const accounts = newest.map((checkout) => accountOf(world, checkout));
  return document(
    "Stripe simulator",
    html`<div class="sheet">
      <header>
        <h1>Stripe simulator</h1>
        <p>
          Plays Stripe for a shop in its demo and tests. ${world.ledger.checkouts.size()} sessions, webhooks
          go to
          <code>${events.endpoint()?.url ?? "nowhere yet"}</code>. <a href="/">Refresh</a>
        </p>
      </header>
      <main>
        ${problem === undefined ? "" : html`<p class="problem" role="alert">${problem}</p>`}
        <section aria-labelledby="payments">
          <h2 id="payments">Payments</h2>
          ${accounts.length === 0 ? html`<p>No payments yet.</p>` : accounts.map(payment)}
        </section>
        ${subscriptions(world)} ${faultButtons(world.faults)}
        <section aria-labelledby="webhooks">
          <h2 id="webhooks">Webhooks</h2>
          ${deliveries(world)}
        </section>
      </main>
    </div>`,
    { sheets: ["page.css", "control.css"] },
  );
}

function subscriptions(world: World) {
  const newest = world.ledger.subscriptions.newest().slice(0, sessionsShown);
  if (newest.length === 0) return "";
  return html`<section aria-labelledby="subscriptions">
    <h2 id="subscriptions">Subscriptions</h2>
    ${newest.map((one) => subscription(standing(world, one)))}
  </section>`;
}

function subscription(one: Standing) {
  const until = one.ended_at ?? one.cancel_at;
  return html`<article class="card">
    <h3 class="row">
      <span>${money(one.amount, one.currency)} per ${one.interval}</span>
      <span class="badge ${one.ended_at === null ? "good" : "plain"}">${one.status.replace("_", " ")}</span>
      <span class="quiet">${one.email ?? "no email"}</span>
      <time>now ${time(one.now)}, period until ${time(one.period_end)}</time>
    </h3>
    <p class="row">
      <code>${one.subscription}</code>
      ${one.card === null ? "no card" : html`card ${one.card.last4}, ${one.mood}`}
      ${until === null ? "" : html`<span>ends ${time(until)}</span>`}
    </p>
    <ul class="row">
      ${one.invoices.map(
        ({ invoice, amount_due, status }) =>
          html`<li><a href="/i/${invoice}">${money(amount_due, one.currency)} ${status}</a></li>`,
      )}
    </ul>
    <div class="row">${buttonsOfSubscription(one)}</div>
  </article>`;
}

function payment(account: Account) {
  return html`<article class="card">
    <h3 class="row">
      <span>${money(account.amount, account.currency)}</span>
      <span class="badge ${tone(account)}">${stateOf(account)}</span>
      <span class="quiet">${account.email ?? "no email yet"}</span>
      <time>${time(account.created)}</time>
    </h3>
    <p class="row"><code>${account.session}</code> <code>${account.payment_intent ?? ""}</code></p>
    <div class="row">${buttonsOf(account)}</div>
  </article>`;
}

function stateOf({
  status,
  payment_status,
  dispute,
  refunded,
  fully_refunded,
  intent_status,
  on_its_way: onItsWay,
  warned,
}: Account) {
  const parts = [
    status === "complete"
      ? intent_status === "requires_payment_method"
        ? "failed"
        : payment_status
      : status,
    onItsWay ? "waiting for the money" : null,
    fully_refunded ? "refunded" : refunded > 0 ? "partly refunded" : null,
    dispute ? `dispute ${dispute.status.replaceAll("_", " ")}` : null,
    warned ? "fraud warning" : null,
  ];
  return parts.filter((part) => part !== null).join(" · ");
}

function tone({ status, paid, dispute, fully_refunded }: Account): string {
  if (dispute && dispute.status !== "won" && !dispute.status.startsWith("warning")) return "bad";
  if (fully_refunded || status === "expired") return "plain";
  return paid ? "good" : "open";
}

function deliveries(world: World) {
  const log = deliveryLog(world, eventsShown);
  if (log.length === 0) return html`<p>No events yet.</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-labelledby="webhooks">
    <table>
      <thead>
        <tr>
          <th>Created (UTC)</th>
          <th>Event</th>
          <th>State</th>
          <th>Attempts</th>
          <th>Last answer</th>
        </tr>
      </thead>
      <tbody>
        ${log.map((row) => {
          const last = row.attempts.at(-1);
          return html`<tr>
            <td>${time(row.created)}</td>
            <td>${row.type}<br /><code>${row.event}</code></td>
            <td>${row.state}</td>
            <td>${row.attempts.length}</td>
            <td>${last === undefined ? "" : `${last.status || "no answer"} ${last.note.slice(0, 60)}`}</td>
          </tr>`;
        })}
      </tbody>
    </table>
  </div>`;
}

function time(unix: number): string {
  return new Date(unix * 1000).toISOString().slice(0, 19).replace("T", " ");
}
