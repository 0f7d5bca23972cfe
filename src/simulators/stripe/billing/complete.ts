import { emit } from "../events";
import type { Checkout, Session } from "../ledger";
import type { Decline, Method } from "../money/methods";
import { decline, detailsOf, pay, type Payer, settleDelayed } from "../money/pay";
import { updateSession } from "../money/sessions";
import { countUse, couponOf } from "../money/totals";
import type { World } from "../world";
import { begin } from "./begin";
import { applyOutcome } from "./collect";
import { newCustomer } from "./customers";
import { isBill } from "./lines";
import { addressIn, saveMethod, saysOf } from "./methods";
import { settled } from "./payment";
import type { Bill } from "./rows";
import { worldForCustomer } from "./time";

/** Pays an open session of either mode. A card that is declined leaves it open. */
export function payCheckout(baseWorld: World, checkout: Checkout, payer: Payer): Session {
  const world = worldOfSession(baseWorld, checkout.session);
  const refusal = refusalFor(checkout, payer.method);
  if (refusal !== null) return decline(world, checkout, payer, refusal);
  return checkout.session.mode === "subscription"
    ? subscribe(world, checkout, payer)
    : pay(world, checkout, payer);
}

/** The world in a session's mode, and at the time of its customer, if it has one. */
function worldOfSession(world: World, { customer, livemode = false }: Session): World {
  return worldForCustomer({ ...world, live: livemode }, customer ?? "");
}

/** The bank's refusal of a new card, if something is due today. */
function refusalFor({ session }: Checkout, { type, details }: Method): Decline | null {
  const says = saysOf(type, details.card?.last4);
  return session.amount_total !== 0 && typeof says === "object" ? says : null;
}

/** Whether nothing is due, now or later. */
export const needsNoCard = ({ amount_total, mode }: Session): boolean =>
  amount_total === 0 && mode !== "subscription";

function subscribe(world: World, checkout: Checkout, payer: Payer): Session {
  const { session, plan } = checkout;
  const price = world.ledger.prices.get(plan?.price ?? "");
  if (!plan || !price) throw new Error(`${session.id} has no price`);
  const { email, name, country, taxId } = payer;
  const customer = newCustomer(world, {
    address: country === undefined ? null : addressIn(country),
    email,
    name,
    taxIds: taxId ? [taxId] : [],
  });
  const method = saveMethod(world, payer.method, { customer: customer.id, email, name, country });
  const { subscription, bill } = begin(world, {
    customer,
    method,
    price,
    data: plan,
    discounts: discountsOf(world, session),
    automaticTax: session.automatic_tax?.enabled ?? false,
    session: session.id,
  });
  const delayed = bill.status === "open";
  const done = updateSession(world, checkout, {
    customer: customer.id,
    customer_details: detailsOf(payer),
    invoice: bill.id,
    payment_status: delayed ? "unpaid" : bill.amount_paid === 0 ? "no_payment_required" : "paid",
    status: "complete",
    subscription: subscription.id,
    url: null,
  });
  countUse(world, done);
  emit(world, "checkout.session.completed", done);
  return done;
}

function discountsOf(world: World, { discounts }: Session) {
  return (discounts ?? []).flatMap(({ promotion_code: id }) => {
    const code = world.ledger.promotionCodes.get(id ?? "");
    const coupon = code && couponOf(world, code);
    return code && coupon ? [{ coupon, code }] : [];
  });
}

/** Ends a bank debit that waits, of either mode's session; false if none does. */
export function settleCheckout(baseWorld: World, checkout: Checkout, outcome: "succeed" | "fail"): boolean {
  const world = worldOfSession(baseWorld, checkout.session);
  if (checkout.session.mode !== "subscription") return settleDelayed(world, checkout, outcome);
  const bill = world.ledger.invoices.get(checkout.session.invoice ?? "");
  if (!bill || !isBill(bill) || settleBill(world, bill, outcome) === null) return false;
  const payment_status = outcome === "succeed" ? "paid" : "unpaid";
  const session = updateSession(world, checkout, { payment_status });
  const how = outcome === "succeed" ? "succeeded" : "failed";
  emit(world, `checkout.session.async_payment_${how}`, session);
  return true;
}

/** Ends an invoice's bank debit that waits; null if none does. */
export function settleBill(world: World, bill: Bill, outcome: "succeed" | "fail"): Bill | null {
  const end = settled(world, bill, outcome);
  return end && applyOutcome(world, bill, end, false);
}
