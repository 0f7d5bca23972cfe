import { type World, seconds } from "../world";
import { customerOf } from "./customers";
import type { Mail, Subscription } from "./rows";

/** Notes a mail that Stripe itself would send to the customer; the simulator sends none. */
export function noteMail(
  world: World,
  about: Mail["about"],
  one: Subscription,
  invoice: string | null = null,
) {
  world.ledger.put("mails", {
    id: world.ids.next("mail_"),
    at: seconds(world),
    to: customerOf(world, one.customer)?.email ?? null,
    about,
    subscription: one.id,
    invoice,
  });
}
