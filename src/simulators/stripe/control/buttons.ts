import { html } from "hono/html";
import type { Account } from "./report";

/** The buttons that make sense for a payment as it stands. */
export function buttonsOf(account: Account) {
  return [...whileOpen(account), ...whileProcessing(account), ...moneyBack(account), ...dispute(account)];
}

function whileOpen({ session, status }: Account) {
  if (status !== "open") return [];
  return [
    html`<a class="button" href="/c/pay/${session}">Open the page</a>`,
    button("pay", "Pay", { session, outcome: "paid" }),
    button("pay", "Decline", { session, outcome: "declined" }),
    button("pay", "Pay by bank debit", { session, outcome: "processing" }),
    button("expire", "Expire", { session }),
  ];
}

function whileProcessing({ session, intent_status }: Account) {
  if (intent_status !== "processing") return [];
  return [
    button("settle", "Settle: money arrives", { session, outcome: "succeed" }),
    button("settle", "Settle: bank refuses", { session, outcome: "fail" }),
  ];
}

function moneyBack({ session, paid, fully_refunded, refunds }: Account) {
  const standing = refunds.filter(({ status }) => status === "pending" || status === "succeeded");
  return [
    ...(paid && !fully_refunded
      ? [button("refund", "Refund all that is left", { session }), partly(session)]
      : []),
    ...standing.map(({ id, amount }) =>
      button("refund-move", `Fail the refund of ${amount}`, { refund: id, status: "failed" }),
    ),
    ...standing
      .filter(({ status }) => status === "pending")
      .map(({ id }) => button("refund-move", "Finish the refund", { refund: id, status: "succeeded" })),
  ];
}

function partly(session: string) {
  return html`<form method="post" action="/_do/refund">
    <input type="hidden" name="session" value="${session}" />
    <input
      name="amount"
      inputmode="numeric"
      pattern="[1-9][0-9]*"
      value="100"
      aria-label="Amount in minor units"
      required
    />
    <button>Refund part</button>
  </form>`;
}

const labels: Record<string, string> = {
  needs_response: "Open a dispute",
  warning_needs_response: "Open an inquiry",
  under_review: "Dispute: under review",
  won: "Dispute: won",
  lost: "Dispute: lost",
  warning_under_review: "Inquiry: under review",
  warning_closed: "Inquiry: closed",
};

function dispute({ session, paid, warned, ways }: Account) {
  if (!paid) return [];
  return [
    ...ways.map((status) => button("dispute", labels[status] ?? status, { session, status })),
    ...(warned ? [] : [button("warning", "Fraud warning", { session })]),
  ];
}

function button(action: string, label: string, fields: Record<string, string>) {
  return html`<form method="post" action="/_do/${action}">
    ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <button>${label}</button>
  </form>`;
}
