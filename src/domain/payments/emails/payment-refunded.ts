import { money } from "@/contract/vocabulary/money";
import type { Ctx } from "@/core/database/context";
import { noPayload } from "@/core/database/topic";
import { type LicenceStatus, statusOf } from "../../licences/entitlement/entitlement";
import { keyOf } from "../../licences/keys/issue";
import { amount, facts } from "../../mail/blocks";
import type { Licence } from "../../schema/licences";
import {
  type AboutPayment,
  aboutPayment,
  levelFacts,
  messageNameOfJob,
  paymentEmail,
  paymentEmailTemplate,
} from "../about-payment";

export const paymentRefundedEmail = paymentEmail("mail.payment-refunded", noPayload, (ctx, found, job) => {
  const about = aboutPayment(found);
  if (about.bill.refunded === 0) return null;
  const licences = found.licences.map((licence) => refundOutcome(ctx, licence));
  const name = messageNameOfJob(`refunded-${about.bill.refunded}`, job);
  return { name, email: writePaymentRefunded({ ...about, licences }) };
});

/** What the refund left of a licence; `tail` is the end of its key, which distinguishes it from others. */
type Outcome = { tail: string; state: "ended" | "active" | "paused" };

const refundOutcome = (ctx: Ctx, licence: Licence): Outcome => ({
  tail: `…${keyOf(ctx, licence).slice(-4)}`,
  state: licenceOutcomes[statusOf(ctx, licence)],
});

const licenceOutcomes: Record<LicenceStatus, Outcome["state"]> = {
  refunded: "ended",
  revoked: "ended",
  expired: "ended",
  active: "active",
  unredeemed: "active",
  disputed: "paused",
  suspended: "paused",
  "other mode": "paused",
};

/** `licences` is empty if the payment gave none. */
type Content = AboutPayment & { licences: Outcome[] };

export function writePaymentRefunded(content: Content) {
  const { productName, quantity, transactionId, bill, licences } = content;
  const refunded = money(bill.refunded, bill.currency);
  const isPartOfSeveral = quantity > 1 && bill.refunded < bill.paid;
  return paymentEmailTemplate(content, {
    kind: "payment-refunded",
    subject: `Your payment for ${productName} was refunded`,
    preheader:
      `${refunded} of ${money(bill.paid, bill.currency)} was refunded. ${outcomesInWords(licences)}`.trim(),
    title: "Your payment was refunded",
    text: [
      ...(licences.length > 0 ? [outcomesInWords(licences)] : []),
      // several refunds of one payment add up
      amount("Total refunded", refunded),
      "The money goes back to the payment method you used. It can take up to ten days to appear on your statement.",
    ],
    which: facts(
      ["Product", productName],
      ...levelFacts(content),
      ["Paid", money(bill.paid, bill.currency)],
      ["Transaction ID", transactionId],
    ),
    ...(isPartOfSeveral && { quietly: "If we agreed to end some of the licenses, they end separately." }),
  });
}

const outcomesInWords = (licences: Outcome[]): string =>
  (["ended", "paused", "active"] as const)
    .flatMap((state) =>
      outcome(
        licences.filter((one) => one.state === state).map(({ tail }) => tail),
        state,
      ),
    )
    .join(" ");

/** The most that are listed; the others are only counted. */
const mostNamed = 5;

/** `License …8MCN has ended.` or `Licenses …8MCN and …Q2KK stay active.` */
function outcome(tails: string[], state: Outcome["state"]): string[] {
  if (tails.length === 0) return [];
  if (tails.length === 1) return [`License ${tails[0]} ${words[state].one}.`];
  const named = new Intl.ListFormat("en-US").format(tails);
  const which = tails.length > mostNamed ? `${tails.length} licenses` : `Licenses ${named}`;
  return [`${which} ${words[state].several}.`];
}

const words = {
  ended: { one: "has ended", several: "have ended" },
  paused: { one: "is paused", several: "are paused" },
  active: { one: "stays active", several: "stay active" },
} as const;
