import type { Actor } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import type { Account } from "../accounts/sessions/account";
import { type RefundView, refundOfTicket } from "../payments/refunds/refunds";
import { authorize } from "../permissions";
import { type Ticket, ticketsOf } from "../tickets/reading/queries";
import { type Customer, customerOf } from "./customer";
import { accountOfTicket } from "./find";

/** What staff see about a customer that they looked up. */
export async function customerForStaff(ctx: Ctx, actor: Actor, account: Account): Promise<Customer> {
  authorize(actor, "customer.read");
  return customerOf(ctx, account);
}

/** What staff see next to a ticket. */
export type TicketSurroundings = {
  /** Null without a connected account. */
  customer: Customer | null;
  /** The member's earlier tickets, newest first. */
  earlier: Ticket[];
  /** The newest refund, if any; null if the shop makes no refunds in Discord. */
  refunds: { newest: RefundView | null } | null;
};

/** For the card in the staff channel, which the bot draws. */
export async function ticketSurroundings(
  ctx: Ctx,
  ticket: Ticket,
  { withRefunds }: { withRefunds: boolean },
): Promise<TicketSurroundings> {
  const account = await accountOfTicket(ctx, ticket);
  const customer = account ? await customerOf(ctx, account) : null;
  const all = await ticketsOf(ctx, ticket);
  const refunds = withRefunds ? { newest: await refundOfTicket(ctx, ticket.id) } : null;
  return { customer, earlier: all.filter(({ number }) => number < ticket.number), refunds };
}
