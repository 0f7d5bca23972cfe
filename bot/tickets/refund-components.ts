import { ButtonStyle } from "discord.js";
import { minorUnits } from "@/contract/vocabulary/money";
import { accountOfTicket } from "@/domain/customers/find";
import { billInWords, billOf } from "@/domain/bills/bill";
import { ownPurchase, refundablePaymentOf } from "@/domain/payments/reading/payments";
import { declineRefund, proposeRefund } from "@/domain/payments/corrections/proposals";
import { refundInWords, type RefundView } from "@/domain/payments/refunds/refunds";
import type { Ctx } from "@/core/database/context";
import type { Payment } from "@/domain/schema/payments";
import { expectTicket, type Ticket, ticketById } from "@/domain/tickets/reading/queries";
import type { ComponentHandler } from "../interactions/command-types";
import { amountForm, button, type Row, row, typedText, typedAmount } from "../interactions/components";
import { deskLinkReply, staffOf } from "../interactions/actor";
import { cut, date, inert } from "../interactions/markdown";

/** Under a card while a refund awaits an owner's decision. */
export const decisionButtons = (newest: RefundView | null): Row[] =>
  newest?.refund.state === "proposed"
    ? [
        row([
          button(`refund-approve:${newest.refund.id}`, "Approve refund", ButtonStyle.Danger),
          button(`refund-decline:${newest.refund.id}`, "Decline refund"),
        ]),
      ]
    : [];

/** The button names the payment that the card shows. */
export const refundButton = (ticketId: string, payment: { id: string } | null) =>
  button(["ticket-refund", ticketId, ...(payment ? [payment.id] : [])].join(":"), "Refund");

/** Discord's limit on a field: https://discord.com/developers/docs/resources/message#embed-object-embed-limits */
const mostCharacters = 1024;

/** A card's line about its newest refund. */
export function refundLine(shown: RefundView): string {
  const { state, askedBy, decidedBy, reason, refusal, madeAt } = shown.refund;
  const outcome = {
    proposed: "waiting for an owner",
    declined: `declined by ${memberOf(decidedBy)}`,
    approved: `approved by ${memberOf(decidedBy)}, on its way`,
    made: `made, approved by ${memberOf(decidedBy)}${madeAt ? `, ${date(madeAt)}` : ""}`,
    refused: `refused by Stripe: ${inert((refusal ?? "").slice(0, 300))}`,
  }[state];
  const line = `${refundInWords(shown)}, proposed by ${memberOf(askedBy)}: ${outcome}\n${inert(reason)}`;
  return cut(line, mostCharacters);
}

/** The actor of a log entry as a mention, or where they were. */
const memberOf = (actor: string | null) =>
  actor?.startsWith("discord:") ? `<@${actor.slice("discord:".length)}>` : "the desk";

const paidNothing =
  "That member paid for nothing that can be refunded here. The operator can refund what someone else paid.";

/**
 * The member's own payment that a card and its form name. A card drawn when nothing was left to refund names none: the
 * newest with something left.
 */
async function paymentMeant(
  ctx: Ctx,
  ticket: Ticket,
  paymentId: string | undefined,
): Promise<Payment | null> {
  const account = await accountOfTicket(ctx, ticket);
  if (!account) return null;
  return paymentId ? ownPurchase(ctx, account.id, paymentId) : refundablePaymentOf(ctx, account.id);
}

const paymentName = (payment: Payment) =>
  `${billInWords(billOf(payment))}, ${payment.intentId ?? payment.id}`;

/** Support proposes a refund of the payment that the card shows, an owner decides. */
export const refundComponents: Record<string, ComponentHandler> = {
  "ticket-refund": {
    operation: "refund.propose",
    async form([id = "", paymentId], { ctx }) {
      const ticket = await ticketById(ctx, id);
      const payment = ticket && (await paymentMeant(ctx, ticket, paymentId));
      return amountForm(
        ["ticket-refunding", id, ...(payment ? [payment.id] : [])].join(":"),
        "Refund the payment on the card",
        {
          amount: "Amount, such as 4.99; all if left empty",
          description: payment && paymentName(payment),
          text: "Reason",
        },
      );
    },
  },
  "ticket-refunding": {
    operation: "refund.propose",
    async submitted({ ctx, config }, form, [id = "", paymentId]) {
      if (config.ownerRoleId === null) return { content: "Refunds can't be made in Discord." };
      const ticket = await expectTicket(ctx, id);
      const payment = await paymentMeant(ctx, ticket, paymentId);
      if (!payment) return { content: paidNothing };
      const text = typedAmount(form);
      const amount = text === "" ? null : minorUnits(text, payment.currency);
      if (text !== "" && amount === null) return { content: "That isn't an amount. Write it like 4.99." };
      const by = { actor: await staffOf({ ctx, config }, form), reason: typedText(form) };
      const cap = config.refundDailyCap;
      const proposed = await proposeRefund(ctx, payment, { amount, by, ticketId: ticket.id, cap });
      const words = refundInWords({ refund: proposed, payment });
      return { content: `Proposed: ${words}. An owner decides on the ticket's card.` };
    },
  },
  "refund-approve": {
    operation: "refund.approve",
    pressed: (context, interaction, [id = ""]) =>
      deskLinkReply(context, interaction, { operation: "refund.approve", refund: id }),
  },
  "refund-decline": {
    operation: "refund.decline",
    async pressed({ ctx, config }, interaction, [id = ""]) {
      await declineRefund(ctx, id, { actor: await staffOf({ ctx, config }, interaction) });
      return { content: "Declined; nothing is refunded." };
    },
  },
};
