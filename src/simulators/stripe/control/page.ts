import { Hono } from "hono";
import { html } from "hono/html";
import { controlForms } from "../../base/actions";
import { type Content, document, pageHeaders } from "../../base/page";
import { money } from "../money/totals";
import type { Courier } from "../courier";
import type { World } from "../world";
import { type StripeSubscriptionReport, subscriptionReport } from "./billing-report";
import type { StripeActions } from "./actions";
import { type Account, accountOf, deliveryLog } from "./report";

const sessionsShown = 50;
const eventsShown = 60;

type Form = ReturnType<typeof controlForms<StripeActions>>;

export function controlPage(world: World, events: Courier, actions: StripeActions): Hono {
  const app = new Hono();
  const form = controlForms(actions);
  app.get("/", (c) => {
    pageHeaders(c);
    return c.html(page(form, world, { endpoint: events.endpoint()?.url, problem: c.req.query("problem") }));
  });
  return app;
}

type Shown = { endpoint: string | undefined; problem: string | undefined };

function page(form: Form, world: World, { endpoint, problem }: Shown) {
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
          <code>${endpoint ?? "nowhere yet"}</code>. <a href="/">Refresh</a>
        </p>
      </header>
      <main>
        ${problem === undefined ? "" : html`<p class="problem" role="alert">${problem}</p>`}
        <section aria-labelledby="payments">
          <h2 id="payments">Payments</h2>
          ${accounts.length === 0 ? html`<p>No payments yet.</p>` : accounts.map((one) => payment(form, one))}
        </section>
        ${subscriptions(form, world)}
        <section aria-labelledby="account">
          <h2 id="account">Account</h2>
          ${accountForms(form, world)}
        </section>
        <section aria-labelledby="webhooks">
          <h2 id="webhooks">Webhooks</h2>
          ${deliveries(world)}
        </section>
      </main>
    </div>`,
    { sheets: ["page.css", "control.css"] },
  );
}

function subscriptions(form: Form, world: World) {
  const newest = world.ledger.subscriptions.newest().slice(0, sessionsShown);
  if (newest.length === 0) return "";
  return html`<section aria-labelledby="subscriptions">
    <h2 id="subscriptions">Subscriptions</h2>
    ${newest.map((one) => subscription(form, subscriptionReport(world, one)))}
  </section>`;
}

function subscription(form: Form, one: StripeSubscriptionReport) {
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
    <div class="row">${subscriptionForms(form, one)}</div>
  </article>`;
}

function payment(form: Form, account: Account) {
  return html`<article class="card">
    <h3 class="row">
      <span>${money(account.amount, account.currency)}</span>
      <span class="badge ${tone(account)}">${paymentState(account)}</span>
      <span class="quiet">${account.email ?? "no email yet"}</span>
      <time>${time(account.created)}</time>
    </h3>
    <p class="row"><code>${account.session}</code> <code>${account.payment_intent ?? ""}</code></p>
    <div class="row">${paymentForms(form, account)}</div>
  </article>`;
}

/** What can happen to a subscription in its present state. */
function subscriptionForms(form: Form, one: StripeSubscriptionReport): Content[] {
  const { subscription, customer, status, mood, balance, invoices } = one;
  if (status === "canceled" || status === "incomplete_expired") return [];
  const open = invoices.filter((invoice) => invoice.status === "open");
  return [
    form("advance", { subscription }),
    ...(mood === null ? [] : [form("card/mood", { subscription }, { now: { mood } })]),
    ...open.flatMap(({ invoice, on_its_way: isOnItsWay }) =>
      isOnItsWay
        ? [form("invoice/settle", { invoice })]
        : [
            html`<a class="button" href="/i/${invoice}">Open the invoice</a>`,
            form("invoice/uncollectible", { invoice }),
            form("invoice/outside", { invoice }),
            form("invoice/part", { invoice }),
            form("invoice/credit-note", { invoice }),
          ],
    ),
    form(status === "paused" ? "subscription/resume" : "subscription/pause", { subscription }),
    form("subscription/cancel", { subscription }),
    form("subscription/cancel-at", { subscription }),
    form("customer/balance", { customer }, { now: { balance } }),
    form("customer/delete", { customer }),
  ];
}

/** What can happen to a payment in its present state. */
function paymentForms(form: Form, account: Account): Content[] {
  const { session, status, charge, paid, fully_refunded, refunds, ways, warned } = account;
  const isPaid = paid && charge !== null;
  return [
    ...(status === "open"
      ? [
          html`<a class="button" href="/c/pay/${session}">Open the page</a>`,
          form("pay", { session }),
          form("expire", { session }),
        ]
      : []),
    ...(account.on_its_way ? [form("settle", { session })] : []),
    ...(isPaid && !fully_refunded ? [form("refund", { session })] : []),
    ...refunds
      .filter((one) => one.status === "pending" || one.status === "succeeded")
      .map(({ id, amount }) =>
        form("refund/move", { refund: id }, { label: `Move the refund of ${amount}` }),
      ),
    ...ways.map((way) =>
      form("dispute", { session, status: way }, { label: `Dispute: ${way.replaceAll("_", " ")}` }),
    ),
    ...(isPaid && !warned ? [form("warning", { session })] : []),
  ];
}

/** Deliberate faults, and the account's settings. */
const accountForms = (form: Form, { faults, tax, afterRetries, wire }: World): Content[] => [
  form("faults", {}, { now: faults }),
  form("refuse"),
  form("tax", {}, { now: tax }),
  form("retries", {}, { now: { outcome: afterRetries } }),
  form("events/version", {}, { now: wire }),
];

function paymentState({
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
