import { operated } from "../operator/run-operator";
import type { Stage } from "./stage";

/** Has the shop sell thirty days, for $2, as the offer `month`. */
export function sellMonth(stage: Stage, { name = "One month", amount = 200 } = {}) {
  const terms = ["--name", name, "--amount", String(amount), "--days", "30"];
  return operated(stage, "offers", "add", "month", ...terms, "--reason", "a story");
}

/** Buys thirty days as a stranger; resolves to the session and its key. */
export async function buyMonth(stage: Stage): Promise<{ session: string; key: string }> {
  const buyer = stage.person();
  const wanted = { currency: "usd", offer: "month" };
  const session: string = (await buyer.post("/api/stripe/create-checkout-session", wanted)).body.data.id;
  await stage.atStripe("pay", { session, email: "buyer@example.com" });
  const paid = await buyer.get(`/api/stripe/verify-payment?session_id=${session}`);
  return { session, key: paid.body.data.license_key };
}
