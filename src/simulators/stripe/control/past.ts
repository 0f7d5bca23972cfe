import { createCheckoutSession } from "../api/sessions";
import type { Checkout } from "../ledger";
import { card, debitOf } from "../money/methods";
import { moveDispute, openDispute } from "../money/disputes";
import { pay, settleDelayed } from "../money/pay";
import { refund } from "../money/refunds";
import { expireSession } from "../money/sessions";
import { activeCode } from "../money/totals";
import type { World } from "../world";
import { ActionRefusal } from "../../base/actions";
import { checkoutOf, paidCharge } from "./find";

/** A session that ended earlier, with the ids and times of its objects; times are Unix seconds. */
export type PastSession = {
  id: string;
  created: number;
  /** When it was paid, failed or expired. */
  ended: number;
  outcome: "paid" | "failed" | "expired";
  reference: string;
  metadata: Record<string, string>;
  product: string;
  unit_amount: number;
  quantity: number;
  currency: string;
  /** A promotion code that it opened with. */
  code?: string | undefined;
  email: string;
  success_url: string;
  intent: string | null;
  refund: { id: string; amount: number; created: number } | null;
  /** `closed`: when and how the bank decided it. */
  dispute: { id: string; created: number; closed: { at: number; status: "won" | "lost" } | null } | null;
};

/** Adds what happened before the simulator's time, oldest first, without events; leaves out sessions that it has. */
export function addPast(world: World, sessions: PastSession[]): void {
  for (const one of sessions) if (!world.ledger.checkouts.has(one.id)) relive(world, one);
  world.ledger.save();
}

function relive(world: World, one: PastSession) {
  const { id: session, outcome, email } = one;
  const given = new Map([
    ["cs_test_a1", session],
    ["pi_3", one.intent],
    ["du_1", one.dispute?.id],
  ]);
  const then = (seconds: number, refundId?: string): World => ({
    ...world,
    silent: true,
    now: () => seconds * 1000,
    ids: {
      next: (prefix, length) =>
        (prefix === "re_3" ? refundId : given.get(prefix)) ?? world.ids.next(prefix, length),
    },
  });
  open(then(one.created), one);
  const checkout = checkoutOf(world, session);
  if (outcome === "expired") expireSession(then(one.ended), checkout);
  else if (outcome === "paid")
    pay(then(one.ended), checkout, { email, name: null, country: "US", method: card("4242") });
  else fail(then, checkout, one);
  if (one.refund) {
    const { id: refundId, amount, created } = one.refund;
    refund(then(created, refundId), paidCharge(world, session), { amount, metadata: {} });
  }
  if (!one.dispute) return;
  const { created, closed } = one.dispute;
  const dispute = openDispute(then(created), paidCharge(world, session), "needs_response");
  if (closed) moveDispute(then(closed.at), dispute, closed.status);
}

function open(world: World, one: PastSession) {
  const code = one.code === undefined ? undefined : activeCode(world, one.code);
  createCheckoutSession({
    world,
    path: "",
    id: "",
    params: {
      mode: "payment",
      client_reference_id: one.reference,
      metadata: one.metadata,
      payment_intent_data: { metadata: one.metadata },
      success_url: one.success_url,
      ...(code ? { discounts: { 0: { promotion_code: code.id } } } : {}),
      line_items: {
        0: {
          quantity: String(one.quantity),
          price_data: {
            currency: one.currency,
            unit_amount: String(one.unit_amount),
            product_data: { name: one.product },
          },
        },
      },
    },
  });
}

/** The bank refused the debit after a while. */
function fail(
  then: (seconds: number) => World,
  checkout: Checkout,
  { id: session, email, created, ended }: PastSession,
) {
  const method = debitOf(checkout.session);
  if (!method) throw new ActionRefusal("This session offers no delayed method.");
  pay(then(created), checkout, { email, name: null, method });
  settleDelayed(then(ended), checkoutOf(then(ended), session), "fail");
}
