import { MailCheck, RefreshCw, RotateCcw, Send } from "lucide-react";
import {
  correctPaymentEmail,
  refundPayment,
  resendReceipt,
  syncPayment,
} from "@/contract/operations/payments";
import type { PaymentDetails } from "@/contract/wire/desk/details";
import { decimalText, minorUnits, money } from "@/contract/vocabulary/money";
import type { DeskMe } from "@/contract/wire/desk/staff";
import { deskOperation, type Operation } from "../operation/operation";
import type { OfferedOperations } from "../operation/use-allowed";
import { refundOutcomeText } from "../proposals/outcome-text";
import { changeInWords, isUndecided } from "../proposals/decisions";
import { RefundConsequence } from "./refund-consequence";
import { unrefundedAmount } from "../parts/total";

/** What this member of staff may do to a payment. */
export function paymentOperations(
  me: DeskMe,
  payment: PaymentDetails,
): { refund: Operation | false; others: OfferedOperations } {
  const { id, email, gift, dispute, bill, licences, subscription, refunds, corrections } = payment;
  const { currency } = bill;
  const left = unrefundedAmount(payment);
  const isSold = licences.length > 0;
  const proposes = !me.may.includes("refund.make");
  // of each, the shop takes one proposal at a time
  const isRefundAsked = proposes && refunds.some(isUndecided);
  const isAddressAsked = proposes && corrections.filter(isUndecided).length === (gift ? 2 : 1);
  // a proposal can't ask for it
  const mayKeep = !proposes && subscription?.ends_if_refunded === true;

  const refund = deskOperation(refundPayment, {
    id,
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
    fields: {
      amount: {
        label: `Amount in ${currency.toUpperCase()}`,
        hint: `${money(left, currency)} is left.`,
        initial: decimalText(left, currency),
        check: (text: string) => {
          const amount = minorUnits(text, currency);
          if (amount === null) return "Enter an amount, such as 5 or 4.99";
          return amount > left ? `Only ${money(left, currency)} is left` : undefined;
        },
      },
      keep: mayKeep ? {} : null,
    },
    sent({ amount = "", keep }) {
      const minor = minorUnits(amount, currency);
      return {
        ...(minor !== null && minor !== left && { amount: minor }),
        ...(keep === "on" && { keep: true }),
      };
    },
    done: refundOutcomeText,
  });
  const resend = deskOperation(resendReceipt, {
    id,
    name: "Resend email",
    icon: Send,
    consequence: () =>
      `Emails the receipt of this order to ${email ?? "its buyer"} again, up to three times a day. Redeemed keys are masked.`,
    done: () => "The email is on its way",
  });
  const correct = deskOperation(correctPaymentEmail, {
    id,
    name: proposes ? "Propose address" : "Correct address",
    icon: MailCheck,
    consequence: ({ email: typed, receiver: whose }) => {
      const receiver = whose === "on";
      const present_email = receiver ? (gift?.email ?? null) : email;
      const change = changeInWords({ receiver, present_email, email: typed || "the new one" });
      return proposes
        ? `Asks an owner to change ${change}. Nothing is emailed there until then.`
        : `Changes ${change}, and emails the order there. Unredeemed keys that went to the old address are replaced.`;
    },
    fields: {
      receiver: gift
        ? { label: "Whose", type: "text", choices: { "": "The buyer's", on: "The receiver's" } }
        : null,
    },
    done: () => (proposes ? "The address is waiting for an owner" : "Address corrected"),
  });
  const sync = deskOperation(syncPayment, {
    id,
    name: "Refresh from Stripe",
    icon: RefreshCw,
    consequence: () => "Refreshes this payment from Stripe.",
    done: () => "Refreshed from Stripe",
  });
  return {
    // Stripe refunds nothing that a dispute holds or took
    refund: left > 0 && !dispute?.since && !isRefundAsked && refund,
    others: [
      isSold && email !== null && resend,
      isSold && email !== null && !isAddressAsked && correct,
      sync,
    ],
  };
}
