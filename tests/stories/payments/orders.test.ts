import { expect, test } from "bun:test";
import { checkout } from "../../support/people/buyer";
import { deliver, eventsOf } from "../../crash/events";
import { dueOf, ledgerOf } from "../../crash/expected-state";
import { openStage, type Stage } from "../../support/shop/stage";

type Step = [action: string, body?: object];

const paid: Step = ["pay", { email: "order@example.com" }];
const dispute = (status: string): Step => ["dispute", { status }];

const stories: Record<string, Step[]> = {
  "paid and refunded": [paid, ["refund"]],
  "paid, disputed and won": [paid, dispute("needs_response"), dispute("won")],
  "paid, disputed and lost": [paid, dispute("needs_response"), dispute("lost")],
  "paid, asked about and disputed": [paid, dispute("warning_needs_response"), dispute("needs_response")],
  "paid, refunded in part and then disputed": [paid, ["refund", { amount: 100 }], dispute("needs_response")],
  "paid late": [
    ["pay", { email: "order@example.com", outcome: "processing" }],
    ["settle", { outcome: "succeed" }],
    ["refund"],
  ],
  "paid, disputed, won and refunded": [paid, dispute("needs_response"), dispute("won"), ["refund"]],
};

/**
 * Every order of events and their webhooks: `n` is the n-th thing
 * happening, `-n` its webhooks arriving, never before it.
 */
function interleavings(steps: number): number[][] {
  const ways: number[][] = [];
  const go = (way: number[], happened: number, undelivered: number[]) => {
    if (happened === steps && undelivered.length === 0) ways.push(way);
    if (happened < steps) go([...way, happened + 1], happened + 1, [...undelivered, happened + 1]);
    for (const one of undelivered) {
      go(
        [...way, -one],
        happened,
        undelivered.filter((other) => other !== one),
      );
    }
  };
  go([], 0, []);
  return ways;
}

async function play(stage: Stage, steps: Step[], way: number[]) {
  const session = await checkout(stage.person());
  const { url, secretKey, webhookSecret } = stage.stripe;
  const known = new Set<string>();
  const news = async () => {
    const events = (await eventsOf(url, secretKey, 30)).filter(({ id }) => !known.has(id));
    for (const { id } of events) known.add(id);
    return events;
  };
  const delivered = new Map<number, Awaited<ReturnType<typeof eventsOf>>>();
  await news();
  for (const move of way) {
    if (move > 0) {
      const [action, body] = steps[move - 1] ?? paid;
      await stage.atStripe(action, { session, ...body });
      delivered.set(move, await news());
    } else {
      const events = delivered.get(-move) ?? [];
      // newest first: even within one step, Stripe guarantees no order
      for (const event of events.toReversed()) {
        expect(await deliver(event, stage.webhookUrl(), webhookSecret)).toBe(200);
      }
    }
  }
  return session;
}

for (const [name, steps] of Object.entries(stories)) {
  test(`an order ${name} ends as Stripe holds it, in whatever order its events arrive`, async () => {
    await using stage = await openStage({ webhooks: false });
    const ways = interleavings(steps.length);
    const played = new Map<string, number[]>();
    for (const way of ways) played.set(await play(stage, steps, way), way);
    const rows = await stage.ctx.store.client.execute(
      "SELECT session_id, state, payment_standing AS standing, count(licences.id) AS n FROM payments LEFT JOIN licences ON licences.payment_id = payments.id GROUP BY payments.id",
    );
    const held = new Map(rows.rows.map((row) => [row.session_id as string, row]));
    for (const account of await ledgerOf(stage.stripe.url)) {
      const { state, standing } = dueOf(account);
      const row = held.get(account.session);
      expect({
        way: played.get(account.session),
        state: row?.state,
        standing: row?.standing,
        n: row?.n,
      }).toEqual({
        way: played.get(account.session),
        state,
        standing,
        n: standing === null ? 0 : 1,
      });
    }
    expect(held.size).toBe(ways.length);
  });
}
