import { operated } from "../operator/run-operator";
import { checkout, resultOf } from "../people/buyer";
import type { Stage } from "./stage";

/** Has the shop sell thirty days, for $2, as the offer `month`. */
export function sellMonth(stage: Stage, { name = "One month", amount = 200 } = {}) {
  const terms = ["--name", name, "--amount", String(amount), "--days", "30"];
  return operated(stage, "offers", "add", "month", ...terms, "--reason", "a story");
}

/** Buys thirty days as a stranger; resolves to the session and its key. */
export async function buyMonth(stage: Stage): Promise<{ session: string; key: string }> {
  const buyer = stage.person();
  const session = await checkout(buyer, { offer: "month" });
  await stage.atStripe("pay", { session, email: "buyer@example.com" });
  return { session, key: (await resultOf(buyer, session)).license_key };
}
