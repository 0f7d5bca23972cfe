import { openDispute } from "../money/disputes";
import { warn } from "../money/warnings";
import { type World, idOf } from "../world";
import type { TestCard } from "./test-cards";

/** What some test cards do once they have paid. */
export function afterwards(world: World, session: string, does: TestCard["does"]) {
  const intent = idOf(world.ledger.checkouts.get(session)?.session.payment_intent);
  const charge = idOf(world.ledger.intents.get(intent ?? "")?.latest_charge);
  const paid = world.ledger.charges.get(charge ?? "");
  if (paid === undefined) return;
  if (does === "is disputed") openDispute(world, paid, { status: "needs_response", reason: "fraudulent" });
  if (does === "is warned about") warn(world, paid);
}
