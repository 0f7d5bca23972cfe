import { emit } from "../events";
import type { Checkout, Session } from "../ledger";
import { type World, seconds } from "../world";

export function updateSession(world: World, checkout: Checkout, change: Partial<Session>): Session {
  const session = { ...checkout.session, ...change };
  world.ledger.put("checkouts", { ...checkout, session });
  return session;
}

/** Closes an open session and cancels its payment, if one has begun. */
export function expireSession(world: World, checkout: Checkout): Session {
  cancelIntent(world, checkout);
  const session = updateSession(world, checkout, { status: "expired", url: null });
  emit(world, "checkout.session.expired", session);
  return session;
}

/** Cancels a session's payment, if one has begun. */
export function cancelIntent(world: World, { session }: Checkout): void {
  const intent = world.ledger.intents.get(session.payment_intent ?? "");
  if (!intent) return;
  emit(world, "payment_intent.canceled", world.ledger.put("intents", { ...intent, status: "canceled" }));
}

/** Expires every open session past its expiry time. */
export function expireDue(world: World) {
  for (const checkout of world.ledger.checkouts.all())
    if (checkout.session.status === "open" && checkout.session.expires_at <= seconds(world))
      expireSession(world, checkout);
}
