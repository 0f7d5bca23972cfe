/** A lifetime's owner gains places by a licence for more computers, and nothing by one for as many. */
import { expect, test } from "bun:test";
import { day } from "@/contract/vocabulary/time";
import { operated } from "../../support/operator/run-operator";
import type { Person } from "../../support/people/person";
import { openStage, type Stage } from "../../support/shop/stage";
import { mailsTo } from "../accounts/people";
import { deviceCounts, customerWith, give } from "../devices/computers";

const why = ["--reason", "a story"];

/** Sells 30 days for one computer and for three, and three by subscription. */
async function sell(stage: Stage) {
  const add = (id: string, ...more: string[]) =>
    operated(stage, "offers", "add", id, "--name", "An offer", "--amount", "900", ...more, ...why);
  await add("single", "--days", "30");
  await add("team", "--days", "30", "--devices", "3");
  await add("rented", "--every", "month");
  await add("rented-team", "--every", "month", "--devices", "3");
}

async function buy(stage: Stage, person: Person, wanted: object): Promise<string> {
  const opened = await person.post("/api/stripe/create-checkout-session", { currency: "usd", ...wanted });
  expect(opened.status).toBe(200);
  const session = opened.body.data.id;
  await stage.stripeTells("pay", { session, email: "ada@example.com" });
  return session;
}

const resultOf = async (person: Person, session: string) =>
  (await person.get(`/api/stripe/verify-payment?session_id=${session}`)).body.data;

const unusedBy = async (person: Person): Promise<string[]> =>
  (await person.get("/api/licenses/unused")).body.data.map(({ key }: { key: string }) => key);

async function keyFor(stage: Stage, places: number, days: number | null = 30): Promise<string> {
  const key = await stage.handOut(days);
  await give(stage, key, places);
  return key;
}

const redeem = (person: Person, key: string) => person.post("/api/licenses/redeem", { key, timezone: "UTC" });

test("a key for more computers than the lifetime is redeemed beside it, and its time runs from then", async () => {
  await using stage = await openStage();
  const { person } = await customerWith(stage, 2);
  expect((await redeem(person, await keyFor(stage, 2))).body.code).toBe("license_pointless");
  const redeemed = await redeem(person, await keyFor(stage, 3));
  expect(redeemed.status).toBe(200);
  const left = Date.parse(redeemed.body.data.expiry_date) - stage.ctx.now().getTime();
  expect(Math.round(left / day)).toBe(30);
  expect(await deviceCounts(person)).toEqual({ used: 0, places: 3 });
  // a second one goes on after the first
  const second = await redeem(person, await keyFor(stage, 3));
  expect(Date.parse(second.body.data.expiry_date) - Date.parse(redeemed.body.data.expiry_date)).toBe(
    30 * day,
  );
  expect((await redeem(person, await keyFor(stage, 4, null))).body.data.expiry_date).toBeNull();
  expect((await redeem(person, await keyFor(stage, 4))).body.code).toBe("license_pointless");
});

test("an offer adds to a lifetime only if it is for more computers, by subscription too", async () => {
  await using stage = await openStage();
  await sell(stage);
  const { person } = await customerWith(stage, 1);
  const { data } = (await person.get("/api/offers")).body;
  const adds = (data as { id: string; adds: boolean }[]).map((offer) => [offer.id, offer.adds]);
  expect(Object.fromEntries(adds)).toEqual({
    premium: false,
    single: false,
    team: true,
    rented: false,
    "rented-team": true,
  });
  const subscribe = (offer: string) =>
    person.post("/api/stripe/create-checkout-session", { currency: "usd", offer });
  expect((await subscribe("rented")).body.code).toBe("lifetime_held");
  expect((await subscribe("rented-team")).status).toBe(200);
});

test("a licence for more computers that a lifetime's owner buys is added when it is paid, and several are theirs to redeem", async () => {
  await using stage = await openStage();
  await sell(stage);
  const { person } = await customerWith(stage, 1);
  const pointless = await resultOf(person, await buy(stage, person, { offer: "single" }));
  expect(pointless.for_account).toBe("redundant");
  const added = await resultOf(person, await buy(stage, person, { offer: "team" }));
  expect(added).toMatchObject({
    for_account: "added",
    message: "Thank you! Your license is on your account.",
  });
  expect(await deviceCounts(person)).toEqual({ used: 0, places: 3 });
  const several = await resultOf(person, await buy(stage, person, { offer: "team", quantity: 2 }));
  expect(several.for_account).toBe("addable");
  expect((await unusedBy(person)).toSorted()).toEqual(several.license_keys.toSorted());
  const mails = await mailsTo(stage, "ada@example.com");
  const receipt = mails.find(({ text }) => text?.includes(several.license_keys[0]));
  expect(receipt?.text).toContain("Sign in and add one to yours.");
  for (const key of several.license_keys) expect((await redeem(person, key)).status).toBe(200);
});
