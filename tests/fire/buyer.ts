import type { Chance } from "./chance";
import type { World } from "./programs";

/** What a buyer met that no buyer should meet, such as a 500. */
export type Complaints = string[];

/**
 * One order, from the button to what becomes of the payment, through every death of the shop: a
 * person who tries again. Resolves when nothing is left for the buyer to do.
 */
export async function buy(world: World, chance: Chance, at: { order: number; complaints: Complaints }) {
  const address = `10.${(at.order >> 16) & 255}.${(at.order >> 8) & 255}.${at.order & 255}`;
  const email = `buyer${at.order}@example.com`;
  const session = await openCheckout(world, address, at.complaints);
  await untilDone(() => world.atStripe("pay", { session, email }));
  if (chance.next() < 0.5) await look(world, { session, address, complaints: at.complaints });
  const fate = chance.next();
  if (fate < 0.08) await world.atStripe("refund", { session, amount: chance.pick([100, 500]) });
  if (fate > 0.9) {
    await world.atStripe("dispute", { session, status: "needs_response" });
    if (fate > 0.94) await world.atStripe("dispute", { session, status: chance.pick(["won", "lost"]) });
  }
}

async function openCheckout(world: World, address: string, complaints: Complaints): Promise<string> {
  for (let tries = 0; ; tries += 1) {
    const answer = await ask(`${world.shopUrl}/api/stripe/create-checkout-session`, address, {
      method: "POST",
      body: JSON.stringify({ currency: "usd" }),
    });
    if (answer?.status === 200) return ((await answer.json()) as { data: { id: string } }).data.id;
    // 502 is Stripe away, 503 the shop on its way up, 429 somebody who tried ten times
    if (answer && ![429, 502, 503].includes(answer.status)) complaints.push(`checkout ${answer.status}`);
    // as somebody else: a shop that dies all the time eats up one person's tries
    if (answer?.status === 429) address = `11.${address.slice(3)}`;
    if (tries > 2_000) throw new Error("the shop never opened a checkout");
    await Bun.sleep(30);
  }
}

type Look = { session: string; address: string; complaints: Complaints };

/** The result page, a few times; its answer is not what counts. */
async function look(world: World, { session, address, complaints }: Look) {
  for (let times = 0; times < 3; times += 1) {
    const url = `${world.shopUrl}/api/stripe/verify-payment?session_id=${session}`;
    const answer = await ask(url, address, {});
    if (answer && ![200, 429, 502, 503].includes(answer.status)) complaints.push(`result ${answer.status}`);
    await Bun.sleep(40);
  }
}

const ask = (url: string, address: string, init: RequestInit): Promise<Response | null> =>
  fetch(url, {
    ...init,
    headers: { "content-type": "application/json", "x-forwarded-for": address },
    signal: AbortSignal.timeout(15_000),
  }).catch(() => null);

async function untilDone(act: () => Promise<unknown>) {
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
