/** A licence has the level that it was sold as, that its subscription's price gives, or that staff set. */
import { expect, test } from "bun:test";
import { day } from "@/contract/vocabulary/time";
import { changeLevelOf } from "@/domain/licences/changes/staff-terms";
import { addOffer } from "@/domain/offers/change";
import { licenceOfKey } from "@/domain/licences/keys/find";
import { handOut } from "@/domain/licences/keys/hand-out";
import { mailsTo, member } from "../accounts/people";
import { deliverAll, startEndpoint } from "../../support/network/hooked";
import { operate, operated } from "../../support/operator/run-operator";
import { atDesk } from "../../support/people/desk";
import { addLevels } from "../../support/shop/levels";
import { openStage, type Stage } from "../../support/shop/stage";
import { buy, by, customer, seenBy, settleAll, subscriber, switchTo } from "../subscriptions/subscriber";

const reason = "a story";

async function openLevels(): Promise<Stage> {
  const stage = await openStage();
  await addLevels(stage, { id: "pro", name: "Pro" }, { id: "team", name: "Team" });
  const month = { name: "A month", days: null, every: "month" } as const;
  await addOffer(stage.ctx, { ...month, id: "month", amount: 300 }, by);
  await addOffer(stage.ctx, { ...month, id: "team", amount: 900, level: "team" }, by);
  await addOffer(stage.ctx, { ...month, id: "pro", amount: 600, level: "pro" }, by);
  return stage;
}

async function licenceRow({ ctx }: Stage, where = "account_id IS NOT NULL") {
  const { rows } = await ctx.store.client.execute(
    `SELECT * FROM licences WHERE ${where} ORDER BY rowid DESC`,
  );
  const [row] = rows;
  if (!row) throw new Error("there is no licence");
  return row as Record<string, string | number | null>;
}

test("an owner changes a licence's level with a code and a reason; its key, computers and place in time stay", async () => {
  await using stage = await openLevels();
  const olga = await atDesk(stage, "olga", "owner");
  const ada = await member(stage, "ada");
  const [{ key }] = (await ada.get("/api/licenses/me")).body.data;
  const before = await licenceRow(stage);
  const call = `licences/${before["id"]}/level`;
  expect((await olga.post(call, { level: "team" })).status).toBe(400);
  expect((await olga.post(call, { reason })).status).toBe(400);
  expect((await olga.post(call, { level: "team", offer: true, reason })).status).toBe(400);
  expect((await olga.post(call, { level: "team", reason })).status).toBe(200);
  const after = await licenceRow(stage);
  expect(after).toMatchObject({ type: "team", chain: "premium", staff_level: "team" });
  for (const column of ["key_hash", "devices", "redeemed_at", "expires_at", "offer"])
    expect(after[column]).toBe(before[column]);
  expect((await ada.get("/api/licenses/me")).body.data).toMatchObject([{ key, type: "team" }]);
  expect((await olga.post(call, { level: "team", reason })).body.code).toBe("license_unchanged");
  expect((await olga.post(call, { level: "gold", reason })).body.code).toBe("level_unknown");
  expect((await olga.post(call, { offer: true, reason })).status).toBe(200);
  expect(await licenceRow(stage)).toMatchObject({
    type: "premium",
    staff_level: null,
    staff_level_price: null,
  });
  stage.advance(11 * 60_000);
  expect((await olga.post(call, { level: "pro", reason })).body.code).toBe("confirm");
});

test("a changed level is in the log, and its owner gets an email with its name", async () => {
  await using stage = await openLevels();
  await member(stage, "ada");
  const { id } = await licenceRow(stage);
  await changeLevelOf(stage.ctx, { id: String(id) }, "team", by);
  await stage.shop.worker.drain();
  const [mail] = await mailsTo(stage, "ada@example.com");
  expect(mail?.subject).toBe("Your Wisp Selfbot license is now Team");
  expect(mail?.text).toContain("Its key, its end and its computers stay the same.");
  const { rows } = await stage.ctx.store.client.execute(
    "SELECT detail, reason FROM audit_log WHERE action = 'licence.level_changed'",
  );
  expect(rows).toMatchObject([{ detail: '{"before":"premium","after":"team"}', reason }]);
});

test("other systems learn that a licence has another level", async () => {
  await using stage = await openStage({ env: { WEBHOOKS_ALLOW_PRIVATE: "true" } });
  await addLevels(stage, { id: "team", name: "Team" });
  await member(stage, "ada");
  await using shop = await startEndpoint(stage, ["license.changed"]);
  const { id } = await licenceRow(stage);
  await changeLevelOf(stage.ctx, { id: String(id) }, "team", by);
  await deliverAll(stage);
  expect(shop.arrived).toMatchObject([{ data: { cause: "level", level: { id: "team", name: "Team" } } }]);
});

test("the command line changes a licence's level, and takes that back", async () => {
  await using stage = await openLevels();
  const key = await handOut(stage.ctx, { days: 30 }, by);
  const change = ["licences", "change-level", key];
  const why = ["--reason", reason];
  expect(await operated(stage, ...change, "--level", "team", ...why)).toMatchObject({ level: "team" });
  expect(await operated(stage, ...change, "--offer", ...why)).toMatchObject({ level: "premium" });
  expect((await operate(stage, ...change, ...why)).code).toBe(2);
  expect((await operate(stage, ...change, "--level", "pro", "--offer", ...why)).code).toBe(2);
  expect((await operate(stage, ...change, "--level", "team")).code).toBe(2);
});

test("time that runs in the chain of the level that was sold stays there", async () => {
  await using stage = await openLevels();
  const ada = stage.person();
  await ada.register(await handOut(stage.ctx, { days: 30 }, by), "ada");
  const { id, expires_at: end } = await licenceRow(stage);
  await changeLevelOf(stage.ctx, { id: String(id) }, "team", by);
  const key = await handOut(stage.ctx, { days: 30 }, by);
  const { data } = (await ada.post("/api/licenses/redeem", { key, timezone: "UTC" })).body;
  expect(Date.parse(data.expiry_date)).toBe(Number(end) + 30 * day);
});

test("a key whose level was changed before it is redeemed adds nothing if its own chain ends too early", async () => {
  await using stage = await openLevels();
  const { ctx } = stage;
  const person = stage.person();
  await person.register(await handOut(ctx, { days: 100, level: "team" }, by), "ada");
  const key = await handOut(ctx, { days: 30, level: "premium" }, by);
  const licence = await licenceOfKey(ctx, key);
  if (!licence) throw new Error("the shop made it");
  await changeLevelOf(ctx, licence, "team", by);
  const { body } = await person.post("/api/licenses/redeem", { key, timezone: "UTC" });
  expect(body.code).toBe("license_pointless");
  // one that was sold as team continues its chain
  const sold = await handOut(ctx, { days: 30, level: "team" }, by);
  expect((await person.post("/api/licenses/redeem", { key: sold, timezone: "UTC" })).status).toBe(200);
});

test("above a subscription's price it holds for that price, and after a switch only if it contains the new level", async () => {
  await using stage = await openLevels();
  const { subscription } = await subscriber(stage);
  const level = async () => (await licenceRow(stage, "paid_until IS NOT NULL"))["type"];
  const { id } = await licenceRow(stage, "paid_until IS NOT NULL");
  await changeLevelOf(stage.ctx, { id: String(id) }, "pro", by);
  await settleAll(stage);
  expect(await level()).toBe("pro");
  await switchTo(stage, subscription, { id: "team", amount: 900, level: "team" });
  await settleAll(stage);
  expect(await level()).toBe("team");
  await switchTo(stage, subscription, { id: "month", amount: 300 });
  await settleAll(stage);
  expect(await level()).toBe("premium");
  await changeLevelOf(stage.ctx, { id: String(id) }, "team", by);
  await switchTo(stage, subscription, { id: "pro", amount: 600, level: "pro" });
  await settleAll(stage);
  expect(await level()).toBe("team");
});

test("a lifetime that gets a level which covers the running subscription ends it, as one that is redeemed does", async () => {
  await using stage = await openLevels();
  const ada = await customer(stage);
  const lifetime = await handOut(stage.ctx, { days: null }, by);
  await buy(stage, ada, { offer: "team" });
  await ada.post("/api/licenses/redeem", { key: lifetime, timezone: "UTC" });
  await settleAll(stage);
  expect((await seenBy(ada)).status).toBe("active");
  const { id } = await licenceRow(stage, "days IS NULL AND paid_until IS NULL");
  await changeLevelOf(stage.ctx, { id: String(id) }, "team", by);
  await settleAll(stage);
  expect((await seenBy(ada)).status).toBe("ending");
});

test("of several changes at once each begins where the one before ended", async () => {
  await using stage = await openLevels();
  await handOut(stage.ctx, { days: null }, by);
  const { id } = await licenceRow(stage, "TRUE");
  const ends = await Promise.allSettled(
    ["pro", "team", "pro"].map((level) => changeLevelOf(stage.ctx, { id: String(id) }, level, by)),
  );
  expect(ends.some(({ status }) => status === "fulfilled")).toBe(true);
  const now = await licenceRow(stage, "TRUE");
  expect(now["type"]).toBe(now["staff_level"]);
  const { rows } = await stage.ctx.store.client.execute(
    "SELECT detail FROM audit_log WHERE action = 'licence.level_changed' ORDER BY rowid",
  );
  const steps = rows.map(({ detail }) => JSON.parse(detail as string) as { before: string; after: string });
  const passed = ["premium", ...steps.map(({ after }) => after)];
  expect(steps.map(({ before }) => before)).toEqual(passed.slice(0, -1));
  expect(passed.at(-1)).toBe(String(now["type"]));
});
