import { found, invalid } from "../../api/errors";
import { onlyKnown, part, text } from "../../api/form";
import { type Call, page } from "../../api/lists";
import type { Invoice } from "../../ledger";
import { rows } from "../../../base/store";
import { finalise, voidBill } from "../bill";
import { attempt, paid, recover } from "../collect";
import { isBill } from "../lines";
import { cancelPayment, isProcessing } from "../payment";
import type { Bill, Line } from "../rows";
import { worldForCustomer } from "../time";
import { cardError } from "./subscriptions";

/** An invoice shows its first ten lines; `lines` has all. */
const shownLines = 10;

function shown(invoice: Invoice): Invoice {
  if (!isBill(invoice) || invoice.lines.data.length <= shownLines) return invoice;
  const data = invoice.lines.data.slice(0, shownLines);
  return { ...invoice, lines: { ...invoice.lines, data, has_more: true } };
}

export const getInvoice = ({ world, id }: Call): Invoice =>
  shown(found(world.ledger.invoices.get(id), "invoice", id));

/** https://docs.stripe.com/api/invoices/invoice_lines */
export function listLines(call: Call) {
  const invoice = found(call.world.ledger.invoices.get(call.id), "invoice", call.id);
  const table = rows<Line>();
  const lines = isBill(invoice) ? invoice.lines.data : [];
  for (const line of lines.toReversed()) table.replace(line.id, line);
  return page(call, table, { noun: "line_item", keep: () => true });
}

/** https://docs.stripe.com/api/invoices/list */
export function listInvoices(call: Call) {
  const [status, subscription] = ["status", "subscription"].map((name) => text(call.params, name));
  return page(call, call.world.ledger.invoices, {
    noun: "invoice",
    show: shown,
    keep: (one) =>
      (one.livemode ?? false) === call.world.live &&
      (status === undefined || one.status === status) &&
      (subscription === undefined ||
        (isBill(one) && one.parent.subscription_details.subscription === subscription)),
  });
}

/** An invoice of a subscription, and the world at its customer's time. */
function billIn({ world, id }: Call) {
  const bill = found(world.ledger.invoices.get(id), "invoice", id);
  if (!isBill(bill)) throw invalid("The simulator does this only to invoices of subscriptions.");
  return { bill, world: worldForCustomer(world, bill.customer ?? "") };
}

/** https://docs.stripe.com/api/invoices/pay */
export function payInvoice(call: Call): Bill {
  const { params } = call;
  onlyKnown(params, ["payment_method"]);
  const { world, bill } = billIn(call);
  if (bill.status === "paid") throw invalid("Invoice is already paid", { code: "invoice_already_paid" });
  if (bill.status === "void") throw invalid("This invoice can't be paid: it is void.");
  if (isProcessing(world, bill.id))
    throw invalid("This invoice can't be paid because its payment is processing.", {
      code: "payment_intent_unexpected_state",
    });
  const given = text(params, "payment_method");
  const method = given === undefined ? undefined : world.ledger.methods.get(given);
  if (given !== undefined) found(method, "PaymentMethod", given, "payment_method");
  const open = bill.status === "draft" ? finalise(world, bill) : bill;
  if (open.amount_due === 0) {
    cancelPayment(world, open.id);
    return paid(world, open, 0);
  }
  const { bill: after, outcome } = attempt(world, open, { method, manual: true });
  if (outcome === null)
    throw invalid(
      "There is no `default_payment_method` set on this Customer or Invoice. Please set either a `default_payment_method` or pass `payment_method`.",
    );
  if (outcome.is === "declined") throw cardError(outcome.reason);
  if (outcome.is === "asks")
    throw cardError({
      code: "invoice_payment_intent_requires_action",
      message:
        "Payment for this invoice requires additional user action before it can be completed successfully.",
    });
  return after;
}

/** https://docs.stripe.com/api/invoices/void */
export function voidInvoice(call: Call): Bill {
  onlyKnown(call.params, []);
  const { world, bill } = billIn(call);
  if (bill.status !== "open" && bill.status !== "uncollectible")
    throw invalid(`You can only pass in open invoices. This invoice isn't open.`);
  const voided = voidBill(world, bill);
  recover(world, voided);
  return voided;
}

/** https://docs.stripe.com/api/invoices/finalize */
/** https://docs.stripe.com/api/invoice-payment/list */
export function listInvoicePayments(call: Call) {
  const payment = part(call.params, "payment") ?? {};
  const [invoice, status] = ["invoice", "status"].map((name) => text(call.params, name));
  const intent = text(payment, "payment_intent");
  if (Object.keys(payment).length > 0 && text(payment, "type") !== "payment_intent")
    throw invalid("Invalid payment[type]: must be payment_intent.", { param: "payment[type]" });
  return page(call, call.world.ledger.invoicePayments, {
    noun: "invoice_payment",
    keep: (one) =>
      (invoice === undefined || one.invoice === invoice) &&
      (status === undefined || one.status === status) &&
      (intent === undefined || one.payment.payment_intent === intent),
  });
}
