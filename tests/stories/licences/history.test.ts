import { operator } from "@/core/base/actor";
import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { day } from "@/contract/vocabulary/time";
import { licences } from "@/domain/schema/licences";
import { changeLicence } from "@/domain/licences/changes/change";
import { openStage, type Stage } from "../../support/shop/stage";

/** A customer with a redeemed licence, whose payment changes at Stripe. */
async function owner(stage: Stage, key: string, name: string) {
  const person = stage.person();
  expect((await person.register(key, name)).status).toBe(200);
  const history = async () => {
    const { body } = await person.get("/api/licenses/history");
    return body.data.map((licence: { events: { event: string }[] }) =>
      licence.events.map(({ event }) => event),
    );
  };
  return { person, history };
}

test("a licence's history shows its purchase, its refunds and every stage of its disputes", async () => {
  await using stage = await openStage();
  const { sessionId: session, key } = await stage.buy();
  const { person, history } = await owner(stage, key, "fighter");
  const atStripe = async (action: string, body: object) => {
    stage.advance(1_000);
    await stage.stripeTells(action, { session, ...body });
  };
  expect(await history()).toEqual([["purchased", "redeemed"]]);
  await atStripe("refund", { amount: 200 });
  await atStripe("dispute", { status: "warning_needs_response" });
  await atStripe("dispute", { status: "needs_response" });
  await atStripe("dispute", { status: "under_review" });
  await atStripe("dispute", { status: "won" });
  await atStripe("dispute", { status: "lost" });
  expect(await history()).toEqual([
    ["purchased", "redeemed", "partly_refunded", "disputed", "dispute_won", "dispute_lost"],
  ]);
  const { body } = await person.get("/api/licenses/history");
  expect(body.data[0].key).toBe(key);
  const dates = body.data[0].events.map(({ date }: { date: string }) => date);
  expect(dates).toEqual(dates.toSorted());
});

test("a failed refund restores the licence, and the history shows both", async () => {
  await using stage = await openStage();
  const { sessionId: session, key } = await stage.buy();
  const { history } = await owner(stage, key, "backer");
  const made = (await stage.atStripe("refund", { session, status: "pending" })) as { id: string };
  await stage.stripe.flush();
  await stage.stripeTells("refund/move", { refund: made.id, status: "failed" });
  expect(await history()).toEqual([["purchased", "redeemed", "refunded", "refund_failed"]]);
});

test("the history shows what staff did to a licence, and its expiry", async () => {
  await using stage = await openStage();
  const { history } = await owner(stage, await stage.handOut(3), "tim");
  const [licence] = await stage.ctx.store.db.select().from(licences).where(eq(licences.days, 3));
  if (!licence) throw new Error("tim has no licence");
  for (const change of ["suspend", "reinstate"] as const) {
    stage.advance(1_000);
    await changeLicence(stage.ctx, licence, change, { actor: operator, reason: "a story" });
  }
  stage.advance(4 * day);
  expect(await history()).toEqual([["issued", "redeemed", "suspended", "reinstated", "expired"]]);
});

test("once its key is redeemed, a payment no longer says that it is ready, on any device", async () => {
  await using stage = await openStage();
  const { sessionId, key } = await stage.buy();
  const status = async () =>
    (await stage.person().get(`/api/stripe/verify-payment?session_id=${sessionId}`)).body.data;
  expect(await status()).toMatchObject({
    message: "Thank you! Your license key is ready.",
    redeemed_keys: [],
    term: { days: null, devices: 1, recurring: null },
  });
  await owner(stage, key, "ada");
  expect(await status()).toMatchObject({
    message: "Thank you! Your license key has been redeemed.",
    redeemed_keys: [0],
  });
});

test("nobody can read another customer's history, and visitors none", async () => {
  await using stage = await openStage();
  await owner(stage, (await stage.buy()).key, "ada");
  const other = await owner(stage, await stage.handOut(), "eve");
  expect(await other.history()).toEqual([["issued", "redeemed"]]);
  expect(await stage.person().get("/api/licenses/history")).toMatchObject({
    status: 401,
    body: { code: "unauthenticated" },
  });
});
