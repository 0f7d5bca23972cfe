import { type Decline, declines } from "../money/declines";
import { disputes, moveDispute, openDispute, waysOf, type DisputeStatus } from "../money/disputes";
import { card, debitOf } from "../money/methods";
import { decline, pay, settleDelayed } from "../money/pay";
import { type RefundStatus, moveRefund, refund, refundable, stands } from "../money/refunds";
import { expireSession, updateSession } from "../money/sessions";
import { warn } from "../money/warnings";
import type { World } from "../world";
import { ControlRefusal, checkoutOf, openCheckout, paidCharge } from "./find";
import type { Alter, Dispute, Named, Pay, Refund, RefundMove, Settle } from "./shapes";

/** What the control can make happen. Each answers the Stripe object that it changed. */
export const actions = {
  /** Pays without a browser. */
  pay(world: World, { session, outcome, email, name, decline: why }: Pay) {
    const checkout = openCheckout(world, { session });
    const payer = { email, name: name ?? null };
    if (outcome === "declined") {
      decline(world, checkout, { ...payer, method: card("visa", "0002") }, declineOf(why));
      return checkoutOf(world, { session }).session;
    }
    if (outcome === "paid") return pay(world, checkout, { ...payer, method: card("visa", "4242") });
    const debit = debitOf(checkout.session);
    if (debit === null) throw new ControlRefusal("This session offers no delayed method.");
    return pay(world, checkout, { ...payer, method: debit });
  },

  settle(world: World, { outcome, ...named }: Settle) {
    if (settleDelayed(world, checkoutOf(world, named), outcome)) return checkoutOf(world, named).session;
    throw new ControlRefusal("No payment of this session waits for a bank.");
  },

  expire: (world: World, named: Named) => expireSession(world, openCheckout(world, named)),

  refund(world: World, { amount, status, reason, ...named }: Refund) {
    const charge = paidCharge(world, named);
    const left = refundable(charge);
    if (left === 0 || (amount ?? 1) > left) throw new ControlRefusal(`Only ${left} is left to refund.`);
    return refund(world, charge, { amount: amount ?? left, reason: reason ?? null, metadata: {}, status });
  },

  moveRefund(world: World, { refund: id, status }: RefundMove) {
    const made = world.ledger.refunds.get(id);
    if (made && stands(made) && made.status !== status)
      return moveRefund(world, made, status satisfies RefundStatus);
    throw new ControlRefusal(`The refund ${id} can't become ${status}.`);
  },

  /** Opens a dispute, or moves the one that there is. */
  dispute(world: World, { status, reason, amount, ...named }: Dispute) {
    const charge = paidCharge(world, named);
    const [there] = disputes(world, charge.id);
    if (there && waysOf(there).includes(status)) return moveDispute(world, there, status);
    if (status !== "needs_response" && status !== "warning_needs_response")
      throw cantMove(there?.status, status);
    if (there && waysOf(there).length > 0 && there.status !== "won" && there.status !== "lost")
      throw cantMove(there.status, status);
    return openDispute(world, charge, { status, reason: reason ?? "fraudulent", amount });
  },

  warning: (world: World, named: Named) => warn(world, paidCharge(world, named)),

  /** Changes what the session says without any event: for tests of a shop that must not believe it. */
  alter(world: World, { session, customer_details: customer, ...change }: Alter) {
    const checkout = checkoutOf(world, { session });
    const details = checkout.session.customer_details;
    const customer_details = details && { ...details, ...customer };
    return updateSession(world, checkout, { ...change, customer_details });
  },
};

function declineOf(why: keyof typeof declines | undefined): Decline {
  return declines[why ?? "generic_decline"];
}

function cantMove(from: string | undefined, to: DisputeStatus) {
  return new ControlRefusal(`A dispute can't go from ${from ?? "nothing"} to ${to}.`);
}
