import { FileCheck, MailCheck, RefreshCw, RotateCcw, Send } from "lucide-react";
import type { PaymentDetails } from "@/contract/wire/desk/details";
import type { RefundOutcome } from "@/contract/wire/desk/payment-operations";
import { decimalText, minorUnits, money } from "@/contract/vocabulary/money";
import { writeDesk } from "../../../api/desk/call";
import type { StaffRole } from "../../../api/desk/session";
import type { Operation } from "../operation/operation";
import { allowed } from "../operation/rights";
import { refundOutcomeText } from "../proposals/outcome-text";
import { changeInWords } from "../proposals/correction-decisions";
import { RefundConsequence } from "./refund-consequence";
import { leftOf } from "../parts/total";

/** What this role may do to a payment. */
export function paymentOperations(role: StaffRole, payment: PaymentDetails): Operation[] {
  const { id, email, gift, dispute, bill, licences, subscription } = payment;
  const { currency } = bill;
  const left = leftOf(payment);
  const send = <Answer,>(verb: string, body: object) => writeDesk<Answer>(`payments/${id}/${verb}`, body);
  const isSold = licences.length > 0;
  const proposes = role === "support";
  // a proposal can't ask for it
  const mayKeep = !proposes && subscription?.ends_if_refunded === true;

  const refund: Operation<RefundOutcome> = {
    name: proposes ? "Propose refund" : "Refund",
    icon: RotateCcw,
    grave: true,
    consequence: ({ amount = "", keep }) => (
      <RefundConsequence
        payment={payment}
        amount={amount === "" ? left : minorUnits(amount, currency)}
        proposes={proposes}
        keeps={keep === "on"}
      />
    ),
    fields: [
      {
        name: "amount",
        label: `Amount in ${currency.toUpperCase()}`,
        hint: `${money(left, currency)} is left.`,
        initial: decimalText(left, currency),
        check: (text) => {
          const amount = minorUnits(text, currency);
          if (amount === null) return "Write an amount, such as 5 or 4.99";
          return amount > left ? `No more than ${money(left, currency)} is left` : undefined;
        },
      },
      ...(mayKeep
        ? [{ name: "keep", label: "Keep the license", type: "check" as const, optional: true as const }]
        : []),
    ],
    run({ amount = "", keep }, reason) {
      const minor = minorUnits(amount, currency);
      return send<RefundOutcome>("refund", {
        ...(minor !== null && minor !== left && { amount: minor }),
        ...(keep === "on" && { keep: true }),
        reason,
      });
    },
    done: refundOutcomeText,
  };
  const resend: Operation = {
    name: "Resend mail",
    icon: Send,
    consequence: () =>
      `Mails the receipt of this order to ${email ?? "its buyer"} again, redeemed keys masked; three times a day at most.`,
    run: (_, reason) => send("resend", { reason }),
    done: () => "The mail is on its way",
  };
  const correct: Operation = {
    name: proposes ? "Propose address" : "Correct address",
    icon: MailCheck,
    consequence: ({ email: typed, whose }) => {
      const receiver = whose === "receiver";
      const present_email = receiver ? (gift?.email ?? null) : email;
      const change = changeInWords({ receiver, present_email, email: typed || "…" });
      return proposes
        ? `Proposes to an owner to change ${change}. Nothing is mailed there before.`
        : `Changes ${change}, and mails there what was bought. Unredeemed keys that went to the old address are replaced.`;
    },
    fields: [
      ...(gift
        ? [{ name: "whose", label: "Whose", choices: { buyer: "The buyer's", receiver: "The receiver's" } }]
        : []),
      { name: "email", label: "Right address", type: "email" },
    ],
    run: ({ email: typed, whose }, reason) =>
      send("correct-email", { email: typed, ...(whose === "receiver" && { receiver: true }), reason }),
    done: () => (proposes ? "The address waits for an owner" : "The address is corrected"),
  };
  const sync: Operation = {
    name: "Ask Stripe again",
    icon: RefreshCw,
    consequence: () => "Asks Stripe what this payment is now, and settles it by the answer.",
    run: (_, reason) => send("sync", { reason }),
    done: () => "Settled by what Stripe says now",
  };
  const contest: Operation = {
    name: "Contest dispute",
    icon: FileCheck,
    grave: true,
    consequence: () =>
      `Sends the bank what the shop knows of this order as evidence against the dispute${dispute?.amount && dispute.currency ? ` of ${money(dispute.amount, dispute.currency)}` : ""}. It can be sent only once.`,
    run: (_, reason) => send("contest", { reason }),
    done: () => "The evidence is on its way to the bank",
  };
  return allowed(role, [
    // Stripe refunds nothing that a dispute holds or took
    ["refund", left > 0 && !dispute?.since ? refund : null],
    ["resend", isSold && email !== null ? resend : null],
    ["correct-email", isSold && email !== null ? correct : null],
    ["contest", dispute?.due ? contest : null],
    ["sync", sync],
  ]);
}
