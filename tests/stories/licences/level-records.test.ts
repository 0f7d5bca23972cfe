import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { customerCard } from "@bot/interactions/customer-card";
import { minute } from "@/contract/vocabulary/time";
import { customerOf } from "@/domain/customers/customer";
import { accountNamed } from "@/domain/customers/find";
import { grantLicence } from "@/domain/offers/grant";
import { addOffer } from "@/domain/offers/change";
import { handOut } from "@/domain/licences/keys/hand-out";
import { evidenceFor } from "@/domain/payments/evidence/evidence";
import { paymentNamed } from "@/domain/payments/reading/find";
import { settle } from "@/domain/payments/settlement/settle";
import { syncSubscriptions } from "@/domain/payments/subscriptions/by-staff";
import { levels } from "@/domain/schema/levels";
import { licences } from "@/domain/schema/licences";
import { mailsTo, member } from "../accounts/people";
import { deliverAll, startEndpoint } from "../../support/network/hooked";
import { atDesk } from "../../support/people/desk";
import { otherSystem } from "../../support/people/other-system";
import { operate, operated } from "../../support/operator/run-operator";
import { addLevels } from "../../support/shop/levels";
import { openStage, type Stage } from "../../support/shop/stage";
import { buy, by, checkout, customer, pass, settleAll, switchOnPage } from "../subscriptions/subscriber";

async function openPro(env: Record<string, string> = {}): Promise<Stage> {
  const stage = await openStage({ env });
  await addLevels(stage, { id: "pro", name: "Pro" });
  await addOffer(stage.ctx, { id: "pro-life", name: "For good", amount: 900, days: null, level: "pro" }, by);
  return stage;
}

const month = { name: "A month", days: null, every: "month" } as const;
const pro = { id: "pro", name: "Pro" };

test("what was bought and what is held name their level, wherever they are listed", async () => {
  await using stage = await openPro();
  const ada = await customer(stage);
  const session = await buy(stage, ada, { offer: "pro-life" });
  const system = await otherSystem(stage);
  const own = (await ada.get("/api/licenses/me")).body.data;
  expect(own).toContainEqual(expect.objectContaining({ type: "pro", level: pro }));
  expect((await ada.get("/api/payments")).body.data[0]).toMatchObject({ level: pro });
  const result = (await ada.get(`/api/stripe/verify-payment?session_id=${session}`)).body.data;
  expect(result).toMatchObject({ level: pro });
  const everything = "updated_after=1970-01-01T00:00:00Z";
  const licenses = await system.every("licenses", everything);
  expect(licenses.map(({ level }: { level: object }) => level)).toContainEqual(pro);
  expect((await system.every("orders", everything))[0]).toMatchObject({ level: pro });
  const olga = await atDesk(stage, "olga", "owner");
  await stage.ctx.store.db
    .update(licences)
    .set({ suspendedAt: stage.ctx.now() })
    .where(eq(licences.level, "premium"));
  expect((await olga.get("payments")).body.data.rows[0]).toMatchObject({ level: pro });
  const held = (await olga.get("licences")).body.data.rows.map(({ level }: { level: object }) => level);
  expect(held).toContainEqual(pro);
  const people = (await olga.get("customers")).body.data.rows;
  expect(people).toContainEqual(expect.objectContaining({ username: "ada", level: pro }));
  expect(people).toContainEqual(expect.objectContaining({ username: "olga", level: null }));
});

test("a renamed level has its new name on licences, and the sealed one on what was bought", async () => {
  await using stage = await openPro();
  const ada = await customer(stage);
  await buy(stage, ada, { offer: "pro-life" });
  await stage.ctx.store.db.update(levels).set({ name: "Studio" }).where(eq(levels.id, "pro"));
  const own = (await ada.get("/api/licenses/me")).body.data;
  expect(own).toContainEqual(expect.objectContaining({ level: { id: "pro", name: "Studio" } }));
  expect((await ada.get("/api/payments")).body.data[0].level).toEqual(pro);
});

test("a changed level is a change in the look-ups' feed", async () => {
  await using stage = await openPro();
  const system = await otherSystem(stage);
  await handOut(stage.ctx, { days: 30 }, by);
  const [before] = await system.every("licenses", "updated_after=1970-01-01T00:00:00Z");
  await stage.ctx.store.db.update(licences).set({ level: "pro" });
  const after = await system.every("licenses", `updated_after=${before.updated_at}`);
  expect(after).toMatchObject([{ license: before.license, level: pro }]);
});

test("the figures tell what each level sold", async () => {
  await using stage = await openPro();
  const ada = await customer(stage);
  await buy(stage, ada, { offer: "pro-life" });
  const olga = await atDesk(stage, "olga", "owner");
  const { data } = (await olga.get("figures")).body;
  expect(data.by_level).toMatchObject([
    { level: { id: "premium" }, orders: 0, gross: 0, active_licences: 2 },
    { level: pro, orders: 1, gross: 900, active_licences: 1 },
  ]);
  expect((await olga.get("figures?offer=pro-life")).body.data.by_level).toBeNull();
});

test("an import maps the file's words to levels, refuses the others with their lines, and makes none", async () => {
  await using stage = await openPro();
  await addLevels(stage, { id: "basic", place: 0 });
  const folder = await mkdtemp(join(tmpdir(), "latchkey-import-"));
  const path = join(folder, "keys.csv");
  await Bun.write(
    path,
    "key,level,days\nOLDSHOPKEY0001,VIP,30\nOLDSHOPKEY0002,,30\nOLDSHOPKEY0003,Pro,\nOLDSHOPKEY0004,gold,\n",
  );
  const why = ["--reason", "moving in"];
  const unmapped = await operate(stage, "import", "keys", path, ...why);
  expect(unmapped.err).toContain('Line 2: nothing says which level "VIP" is here.');
  expect(unmapped.err).toContain('Line 5: nothing says which level "gold" is here.');
  const unknown = await operate(stage, "import", "keys", path, "--level", "VIP=gold", ...why);
  expect(unknown.code).toBe(1);
  const done = await operated(stage, "import", "keys", path, "--level", "vip=pro", "--skip", ...why);
  expect(done).toMatchObject({ made: 3 });
  const made = await stage.ctx.store.db.select({ level: licences.level }).from(licences);
  expect(made.map(({ level }) => level).toSorted()).toEqual(["premium", "pro", "pro"]);
  expect(await stage.ctx.store.db.$count(levels)).toBe(3);
  await rm(folder, { recursive: true });
});

test("the desk's preview tells the file's words for levels, and takes what they mean", async () => {
  await using stage = await openPro();
  const olga = await atDesk(stage, "olga", "owner");
  const file = await olga.person.send("PUT", "/api/desk/imports/keys", {
    body: "key,level,days\nOLDSHOPKEY0001,2,30\nOLDSHOPKEY0002,pro,30\n",
    headers: { "content-type": "application/octet-stream" },
  });
  const { id } = file.body.data;
  const asked = { reason: "moving in", preview: true };
  const seen = (await olga.post(`imports/${id}`, asked)).body.data;
  expect(seen.levels).toEqual([
    { word: "2", level: null },
    { word: "pro", level: "pro" },
  ]);
  expect(seen.lines).toMatchObject({ new: 1, refused: 1 });
  const mapped = (await olga.post(`imports/${id}`, { ...asked, levels: { 2: "pro" } })).body.data;
  expect(mapped.lines).toMatchObject({ new: 2, refused: 0 });
});

test("of a column that isn't one of levels, a hundred words are asked about", async () => {
  await using stage = await openPro();
  const lines = Array.from({ length: 150 }, (_, at) => `OLDSHOPKEY${1000 + at},note ${at},30`);
  const olga = await atDesk(stage, "olga", "owner");
  const file = await olga.person.send("PUT", "/api/desk/imports/keys", {
    body: ["key,level,days", ...lines].join("\n"),
    headers: { "content-type": "application/octet-stream" },
  });
  const asked = { reason: "moving in", preview: true };
  const { data } = (await olga.post(`imports/${file.body.data.id}`, asked)).body;
  expect(data.lines).toMatchObject({ new: 0, refused: 150 });
  expect(data.levels).toHaveLength(100);
});

test("a sale of a level that the database lacks makes it from the seal, retired and without features", async () => {
  await using stage = await openPro();
  const person = stage.person();
  const session = await checkout(person, "pro-life");
  await stage.ctx.store.db.delete(levels).where(eq(levels.id, "pro"));
  await stage.atStripe("pay", { session, email: "ada@example.com" });
  await settleAll(stage);
  const [made] = await stage.ctx.store.db.select().from(levels).where(eq(levels.id, "pro"));
  expect(made).toMatchObject({ name: "Pro", features: [], roleId: null, fromOrder: true });
  expect(made?.retiredAt).not.toBeNull();
});

test("a database made anew keeps the level that was sold until an owner makes the one that was switched to", async () => {
  await using stage = await openPro();
  await addOffer(stage.ctx, { ...month, id: "month", amount: 300 }, by);
  await addOffer(stage.ctx, { ...month, id: "pro-month", amount: 900, level: "pro" }, by);
  const ada = await customer(stage);
  const session = await buy(stage, ada, { offer: "month" });
  await switchOnPage(stage, ada, "pro-month");
  const { client, db } = stage.ctx.store;
  const emptied = ["subscription_runs", "subscriptions", "licences", "payments", "levels WHERE id = 'pro'"];
  const forget = [...emptied, "offers WHERE level = 'pro'"].map((table) => `DELETE FROM ${table};`);
  await client.executeMultiple(`PRAGMA foreign_keys = OFF; ${forget.join("")} PRAGMA foreign_keys = ON;`);
  await settle(stage.ctx, stage.shop.checkout, session);
  await syncSubscriptions(stage.ctx, stage.shop.checkout, { by });
  await settleAll(stage);
  expect(await db.select().from(licences)).toMatchObject([{ level: "premium", chain: "premium" }]);
  expect(await db.select().from(levels).where(eq(levels.id, "pro"))).toEqual([]);
  await addLevels(stage, { id: "pro", name: "Pro" });
  await syncSubscriptions(stage.ctx, stage.shop.checkout, { by });
  await settleAll(stage);
  expect(await db.select().from(licences)).toMatchObject([{ level: "pro", chain: "premium" }]);
});

test("a subscription's level is its price's, in webhooks' rows and on the licence after a switch", async () => {
  await using stage = await openPro();
  await addOffer(stage.ctx, { ...month, id: "month", amount: 300 }, by);
  await addOffer(stage.ctx, { ...month, id: "pro-month", amount: 900, level: "pro" }, by);
  const ada = await customer(stage);
  await buy(stage, ada, { offer: "month" });
  await switchOnPage(stage, ada, "pro-month");
  const system = await otherSystem(stage);
  const [subscription] = await system.every("subscriptions", "updated_after=1970-01-01T00:00:00Z");
  expect(subscription).toMatchObject({ level: pro });
  const held = (await ada.get("/api/licenses/me")).body.data;
  expect(held.map(({ level }: { level: object }) => level)).toContainEqual(pro);
});

test("receipts and mails about money name the level that was bought, and a mailed key its license's", async () => {
  await using stage = await openPro();
  await addOffer(stage.ctx, { ...month, id: "pro-month", amount: 600, level: "pro" }, by);
  const ada = await customer(stage);
  await buy(stage, ada, { offer: "pro-month" });
  await pass(stage, 32);
  const bob = await customer(stage, "bob");
  const session = await buy(stage, bob, { offer: "pro-life", email: "bob@example.com" });
  await stage.stripeTells("refund", { session });
  const about = async (name: string) =>
    Object.fromEntries(
      (await mailsTo(stage, `${name}@example.com`)).map(({ subject, text }) => [
        subject,
        /^Level:? +(.*)$/m.exec(text ?? "")?.[1],
      ]),
    );
  expect(await about("ada")).toMatchObject({
    "Your A month license key and receipt": "Pro",
    "Your receipt for A month": "Pro",
  });
  expect(await about("bob")).toMatchObject({
    "Your payment for For good was refunded": "Pro",
    "Your For good license key and receipt": "Pro",
  });
  await member(stage, "eve");
  await grantLicence(stage.ctx, await accountNamed(stage.ctx, "eve"), { level: "pro", offer: "premium" }, by);
  expect(Object.keys(await about("eve"))).toContain("A Pro license was added to your account");
});

test("a dispute's evidence, staff's card of a customer and their own export name the level", async () => {
  await using stage = await openPro();
  const ada = await customer(stage);
  stage.advance(minute);
  const session = await buy(stage, ada, { offer: "pro-life" });
  const sale = await paymentNamed(stage.ctx, session);
  expect((await evidenceFor(stage.ctx, sale)).product_description).toStartWith(
    "For good (Pro): a license key",
  );
  const card = customerCard(await customerOf(stage.ctx, await accountNamed(stage.ctx, "ada"))).toJSON();
  const lines = card.fields?.find(({ name }) => name === "Licenses")?.value.replace(/`.*?` /g, "");
  expect(lines?.split("\n")).toEqual([
    "Pro active, lifetime",
    expect.stringMatching(/^Wisp Premium active, until/),
  ]);
  const { licenses, payments } = (await ada.get("/api/user/export")).body.data;
  expect(licenses).toMatchObject([{ level: pro }, { level: { id: "premium", name: "Wisp Premium" } }]);
  expect(payments).toMatchObject([{ level: pro }]);
});

test("what is delivered to other systems names the level of orders, subscriptions and licenses", async () => {
  await using stage = await openPro({ WEBHOOKS_ALLOW_PRIVATE: "true" });
  await addOffer(stage.ctx, { ...month, id: "month", amount: 300 }, by);
  await addOffer(stage.ctx, { ...month, id: "pro-month", amount: 900, level: "pro" }, by);
  const ada = await customer(stage);
  await using shop = await startEndpoint(stage);
  const heard = async () => {
    await deliverAll(stage);
    return shop.arrived.splice(0).map(({ type, data }) => [type, data["cause"], data["level"]]);
  };
  await buy(stage, ada, { offer: "month" });
  const premium = { id: "premium", name: "Wisp Premium" };
  expect(await heard()).toEqual([
    ["license.redeemed", "redeemed", premium],
    ["order.paid", undefined, premium],
    ["license.issued", "sold", premium],
    ["subscription.started", undefined, premium],
  ]);
  await switchOnPage(stage, ada, "pro-month");
  expect(await heard()).toEqual([
    ["order.paid", undefined, pro],
    ["subscription.changed", undefined, pro],
    ["license.changed", "switched", pro],
  ]);
});

test("mails name the role of the level that was bought, and none where the level has none", async () => {
  await using stage = await openStage({ discord: true });
  await addLevels(stage, { id: "pro", name: "Pro", roleId: "1" }, { id: "team", name: "Team" });
  for (const level of ["pro", "team"]) {
    await addOffer(stage.ctx, { id: level, name: level, amount: 900, days: 3, level }, by);
    const person = await customer(stage, level);
    const email = `${level}@example.com`;
    const session = await buy(stage, person, { offer: level, email });
    await stage.stripeTells("dispute", { session, status: "needs_response" });
    const [mail] = await mailsTo(stage, email);
    const paused = level === "pro" ? "downloads and the Pro role" : "downloads";
    expect(mail?.text?.replace(/\s+/g, " ")).toContain(`decided, so ${paused} are paused too.`);
  }
});
