import { disputeReason as reasonOf, disputeWords, isInquiry } from "@/contract/vocabulary/dispute-words";
import { money } from "@/contract/vocabulary/money";
import { timeLeftText } from "@/core/base/time-left";
import { billOf } from "@/domain/bills/bill";
import { offerOf } from "@/domain/payments/port/order-terms";
import { isDeferred, type Payment } from "@/domain/schema/payments";
import { type Cell, facts, stamp } from "../terminal/table";

/** Their state, and the dispute, say why already. */
const wasPaid: ReadonlySet<string> = new Set(["succeeded", "refunded", "disputed"]);

/** Everything about a payment, one fact per line. */
export function paymentInLines(payment: Payment, licences: { key: string }[], now: Date): string {
  const { currency, asked, off, tax, tax_included: included, ...bill } = billOf(payment);
  const { offer } = offerOf(payment);
  const { quantity, giftEmail: gift } = payment;
  const unlessNone = (amount: number) => (amount !== 0 ? money(amount, currency) : null);
  const lines: Cell[][] = [
    ["id", payment.id],
    ["session", payment.sessionId],
    ["intent", payment.intentId],
    ["state", payment.state],
    ...disputeLines(payment, now),
    ["offer", quantity > 1 ? `${quantity} × ${offer}` : offer],
    ["asked", money(asked, currency)],
    ["off", unlessNone(off)],
    ["tax added", unlessNone(tax)],
    ["tax within", unlessNone(included)],
    ["from credit", unlessNone(bill.credit)],
    ["paid elsewhere", unlessNone(bill.outside)],
    ["paid", money(bill.paid, currency)],
    ["refunded", unlessNone(bill.refunded)],
    ["method", payment.method],
    ["mode", payment.livemode ? "live" : "test"],
    ["email", payment.email],
    ["account", payment.accountId],
    ...(gift === null ? [] : [["gift to", gift]]),
    ...licences.map(({ key }, at) => [quantity > 1 ? `licence ${at + 1}` : "licence", key]),
    ...(licences.length === 0 ? [["licence", null]] : []),
    ...(payment.invoiceUrl ? [["invoice", payment.invoiceUrl]] : []),
    ["opened", stamp(payment.createdAt)],
    ["paid", stamp(payment.paidAt)],
    ["receipt delivered", stamp(payment.receiptSentAt)],
    ...Object.entries(payment.refusedMail ?? {}).map(([letter, { at, words }]) => [
      `${letter} refused`,
      `${stamp(new Date(at))}: ${words}`,
    ]),
  ];
  if (payment.failureReason && !wasPaid.has(payment.state) && !isDeferred(payment))
    lines.push(["failed because", payment.failureReason]);
  if (isDeferred(payment)) {
    const words = `a newer release wrote the order (edition ${payment.sealVersion}), and settles it when it runs`;
    lines.push(["kept because", words]);
  }
  if (payment.mismatch) lines.push(["not as ordered", payment.mismatch]);
  if (payment.fraudWarnedAt) lines.push(["fraud suspected", stamp(payment.fraudWarnedAt)]);
  return facts(lines);
}

function disputeLines(payment: Payment, now: Date): Cell[][] {
  const { disputeStatus, disputeReason, disputeAmount, disputeCurrency, disputeAnswerBy } = payment;
  if (disputeStatus === null) return [];
  const sum = disputeAmount !== null && disputeCurrency !== null && money(disputeAmount, disputeCurrency);
  const { word } = disputeWords(disputeStatus);
  const evidence = `shop payments evidence ${payment.id}; look at it, then --submit --reason …, or shop payments accept-dispute`;
  return [
    [isInquiry(disputeStatus) ? "inquiry" : "dispute", [word, sum].filter(Boolean).join(", ")],
    ["disputed because", reasonOf(disputeReason)],
    ...(disputeAnswerBy
      ? [
          ["answer by", `${stamp(disputeAnswerBy)} (${timeLeftText(disputeAnswerBy, now)})`],
          ["answer with", evidence],
        ]
      : []),
  ];
}
