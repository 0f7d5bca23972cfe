import { Person } from "../support/people/person";
import { type Wanted, wantedBy } from "./goods";
import { ask, type Complaints, untilDone } from "./retry";
import type { Random } from "./random";
import { becomeMember, changeMind, type Member } from "./member";
import type { World } from "./processes";

export type Order = {
  order: number;
  complaints: Complaints;
  /** Called once the buyer has redeemed the key and connected a Discord user, for buyers who do. */
  joined: ((member: Member) => void) | null;
};

/**
 * One order by a persistent buyer, from the button to the payment's outcome, however often the shop dies.
 * Resolves when the buyer has nothing left to do.
 */
export function buy(world: World, random: Random, at: Order): Promise<void> {
  const bought = follow(world, random, at);
  // once a story has failed, its shop is gone: that must not fail the next one
  bought.catch(() => {});
  return bought;
}

async function follow(world: World, random: Random, at: Order): Promise<void> {
  const { order, complaints, joined } = at;
  const wanted = wantedBy(random, { name: `buyer${order}`, gifts: joined === null });
  const { buyer, session } = await openCheckout(world, wanted, complaints);
  await insist(() => world.atStripe("pay", { session, email: `buyer${order}@example.com` }));
  if (random.next() < 0.5) await look(buyer, session, complaints);
  const member = joined
    ? await becomeMember(world, { buyer, session, name: `buyer${order}`, complaints, random })
    : null;
  if (member) joined?.(member);
  // what cost nothing can't be refunded or disputed
  const fate = wanted.code === "FREE" ? 0.5 : random.next();
  const part = wanted.code || wanted.offer ? 100 : random.pick([100, 500]);
  if (fate < 0.08) await world.atStripe("refund", { session, amount: part });
  else if (fate < 0.12) await world.atStripe("refund", { session });
  if (fate > 0.9) {
    await world.atStripe("dispute", { session, status: "needs_response" });
    if (fate > 0.94) await world.atStripe("dispute", { session, status: random.pick(["won", "lost"]) });
  }
  if (member) await changeMind(world, member, { complaints, random });
}

async function openCheckout(world: World, wanted: Wanted, complaints: Complaints) {
  return untilDone(world, "checkout", async () => {
    // as another visitor: a shop that keeps dying uses up one visitor's attempts
    const buyer = new Person(() => new URL(world.shopUrl));
    const opened = await ask(
      () => buyer.post("/api/stripe/create-checkout-session", { currency: "usd", ...wanted }),
      {
        what: "checkout",
        complaints,
        fine: [200],
      },
    );
    return opened && { buyer, session: opened.body.data.id as string };
  });
}

/** Opens the result page a few times; its answer doesn't matter. */
async function look(buyer: Person, session: string, complaints: Complaints) {
  for (let times = 0; times < 3; times += 1) {
    const url = `/api/stripe/verify-payment?session_id=${session}`;
    await ask(() => buyer.get(url), { what: "result", complaints, fine: [200] });
    await Bun.sleep(40);
  }
}

/** The simulator never dies, but it may refuse calls for a moment. */
async function insist(act: () => Promise<unknown>) {
  for (let tries = 0; ; tries += 1) {
    try {
      await act();
      return;
    } catch (error) {
      if (tries > 5) throw error;
      await Bun.sleep(50);
    }
  }
}
