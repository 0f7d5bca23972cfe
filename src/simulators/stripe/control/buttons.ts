import { html } from "hono/html";
import { actionForm } from "../../base/actions";
import type { Content } from "../../base/page";
import type { Faults } from "../faults";
import type { StripeActions } from "./actions";
import type { Standing } from "./billing-report";
import type { Account } from "./report";

const form = actionForm<StripeActions>();
type Given<N extends keyof StripeActions> = Parameters<typeof form<N>>[1];

const button = <N extends keyof StripeActions>(name: N, label: string, given: Given<N>): Content =>
  form(name, given, html`<button>${label}</button>`);

/** The actions that make sense in a subscription's present state. */
export function buttonsOfSubscription(one: Standing): Content[] {
  const { subscription, customer, status, mood, card, balance, invoices } = one;
  if (status === "canceled" || status === "incomplete_expired") return [];
  const open = invoices.filter((one) => one.status === "open");
  return [
    button("advance", "A month later", { subscription, months: 1 }),
    button("advance", "A week later", { subscription, days: 7 }),
    button("advance", "A day later", { subscription, days: 1 }),
    form(
      "customer/balance",
      { customer },
      html`<input
          name="balance"
          inputmode="numeric"
          pattern="-?[0-9]+"
          value="${balance}"
          aria-label="Balance in minor units; credit is negative"
          required
        />
        <button>Set the balance</button>`,
    ),
    ...(card === null
      ? []
      : moods
          .filter(([name]) => name !== mood)
          .map(([name, label]) => button("card/mood", label, { subscription, mood: name }))),
    ...open.flatMap(({ invoice, on_its_way: isOnItsWay }) =>
      isOnItsWay
        ? [
            button("invoice/settle", "Settle: the money arrives", { invoice, outcome: "succeed" }),
            button("invoice/settle", "Settle: the bank refuses", { invoice, outcome: "fail" }),
          ]
        : [
            html`<a class="button" href="/i/${invoice}">Open the invoice</a>`,
            button("invoice/uncollectible", "Mark the invoice uncollectible", { invoice }),
            button("invoice/outside", "Mark the invoice paid outside Stripe", { invoice }),
            button("invoice/part", "Pay a part of the invoice", { invoice, amount: 100 }),
            button("invoice/credit-note", "Credit a part of the invoice", { invoice, amount: 100 }),
          ],
    ),
    status === "paused"
      ? button("subscription/resume", "Resume", { subscription })
      : button("subscription/pause", "Pause", { subscription }),
    button("subscription/cancel", "Cancel now", { subscription }),
    button("subscription/cancel", "Cancel at the period’s end", { subscription, at: "period_end" }),
    button("subscription/cancel-at", "Cancel in three months", { subscription, months: 3 }),
    button("customer/delete", "Delete the customer", { customer }),
  ];
}

const moods = [
  ["works", "The card works"],
  ["declines", "The card is declined"],
  ["asks", "The card asks to confirm"],
] as const;

/** The actions that make sense in a payment's present state. */
export function buttonsOf(account: Account): Content[] {
  return [...whileOpen(account), ...whileProcessing(account), ...refunding(account), ...disputing(account)];
}

function whileOpen({ session, status }: Account): Content[] {
  if (status !== "open") return [];
  return [
    html`<a class="button" href="/c/pay/${session}">Open the page</a>`,
    button("pay", "Pay", { session }),
    button("pay", "Decline", { session, outcome: "declined" }),
    button("pay", "Pay by bank debit", { session, outcome: "processing" }),
    button("pay", "Take a voucher", { session, outcome: "voucher" }),
    button("expire", "Expire", { session }),
  ];
}

function whileProcessing({ session, on_its_way: isOnItsWay }: Account): Content[] {
  if (!isOnItsWay) return [];
  return [
    button("settle", "Settle: the money arrives", { session, outcome: "succeed" }),
    button("settle", "Settle: the bank refuses", { session, outcome: "fail" }),
  ];
}

function refunding({ session, charge, paid, fully_refunded, refunds }: Account): Content[] {
  const standing = refunds.filter(({ status }) => status === "pending" || status === "succeeded");
  return [
    ...(paid && charge !== null && !fully_refunded
      ? [button("refund", "Refund all that is left", { session }), form("refund", { session }, partly)]
      : []),
    ...standing.map(({ id, amount }) =>
      button("refund/move", `Fail the refund of ${amount}`, { refund: id, status: "failed" }),
    ),
    ...standing
      .filter(({ status }) => status === "pending")
      .map(({ id }) => button("refund/move", "Finish the refund", { refund: id, status: "succeeded" })),
  ];
}

const partly = html`<input
    name="amount"
    inputmode="numeric"
    pattern="[1-9][0-9]*"
    value="100"
    aria-label="Amount in minor units"
    required
  />
  <button>Refund part</button>`;

const labels: Record<string, string> = {
  needs_response: "Open a dispute",
  warning_needs_response: "Open an inquiry",
  under_review: "Dispute: under review",
  won: "Dispute: won",
  lost: "Dispute: lost",
  appeal_needs_response: "Appeal the dispute",
  appeal_under_review: "Appeal: under review",
  warning_under_review: "Inquiry: under review",
  warning_closed: "Inquiry: closed",
};

function disputing({ session, charge, paid, warned, ways }: Account): Content[] {
  if (!paid || charge === null) return [];
  return [
    ...ways.map((status) => button("dispute", labels[status] ?? status, { session, status })),
    ...(warned ? [] : [button("warning", "Fraud warning", { session })]),
  ];
}

const toggle = (label: string, on: boolean, given: Given<"faults">): Content =>
  form("faults", given, html`<button aria-pressed="${on}">${label}</button>`);

/** Switches for deliberate faults. */
export function faultButtons({ api, webhooks }: Faults): Content {
  const lost = webhooks.drop === "all";
  const [slow, twice, shuffled] = [api.latencyMs > 0, webhooks.repeat > 1, webhooks.shuffleMs > 0];
  return html`<section aria-labelledby="faults">
    <h2 id="faults">Faults</h2>
    <div class="row">
      ${toggle("API: cut every connection", api.away, { api: { away: !api.away } })}
      ${toggle("API: answer after 2 s", slow, { api: { latencyMs: slow ? 0 : 2000 } })}
      ${([402, 429, 500, "drop"] as const).map((fail) =>
        button("faults", `Next call: ${fail}`, { api: { next: [{ fail }] } }),
      )}
      ${toggle("Webhooks: lose all", lost, { webhooks: { drop: lost ? 0 : "all" } })}
      ${toggle("Webhooks: send each twice", twice, { webhooks: { repeat: twice ? 1 : 2 } })}
      ${toggle("Webhooks: shuffle", shuffled, { webhooks: { shuffleMs: shuffled ? 0 : 3000 } })}
    </div>
  </section>`;
}
