import { afterAll, expect, test } from "bun:test";
import { Refusal } from "@/core/base/refusal";
import { keepLevel } from "@/domain/levels/list";
import { commit } from "@/core/database/commit";
import { addLevel, changeLevel, type JudgeRole, retireLevel } from "@/domain/offers/change-level";
import { levelShown, levelsShown } from "@/domain/offers/levels-for-staff";
import { addOffer } from "@/domain/offers/change";
import { handOut } from "@/domain/licences/keys/hand-out";
import { operated, operate } from "../../support/operator/run-operator";
import { atDesk } from "../../support/people/desk";
import { checkout, verify } from "../../support/people/buyer";
import { addLevels } from "../../support/shop/levels";
import { openStage, type Stage } from "../../support/shop/stage";
import { by } from "../subscriptions/subscriber";

const stage = await openStage();
afterAll(() => stage[Symbol.asyncDispose]());
const olga = await atDesk(stage, "olga", "owner");
const vera = await atDesk(stage, "vera", "viewer");
const reason = "a story";

const team = { id: "team", name: "Team", features: ["export", "api"], reason };
const levelsSeen = async () => (await vera.get("levels")).body.data.rows as { id: string }[];
const logOf = async ({ ctx }: Stage, subject: string) =>
  (
    await ctx.store.client.execute({
      sql: "SELECT action, detail FROM audit_log WHERE subject = ? ORDER BY id",
      args: [subject],
    })
  ).rows.map(({ action, detail }) => ({ action, ...JSON.parse(detail as string) }));

/** No member has any role, unless a story says so. */
const nobody: JudgeRole = async () => ({ name: "Team", members: 0, losing: 0 });
const choosing = (judge = nobody, takesRole = false) => ({ judge, takesRole });

test("the first level is the brand's, and staff see what each contains, its features, its role and who holds it", async () => {
  expect(await levelsSeen()).toEqual([
    {
      id: "premium",
      name: "Wisp Premium",
      place: 1,
      includes_before: true,
      contains: [],
      features: [],
      role: null,
      licences: 2,
      accounts: 2,
      offers: 1,
      is_first: true,
      from_order: false,
      created_at: expect.any(String),
      retired_at: null,
    },
  ] as never);
});

test("an owner adds a level above the others or at its place, with a fresh code and without a reason", async () => {
  const { reason: _, ...silent } = { ...team, features: ["export", "api", "export"] };
  expect((await olga.post("levels", silent)).body.data).toMatchObject({
    id: "team",
    place: 2,
    contains: ["premium"],
    features: ["export", "api"],
    accounts: 0,
  });
  const school = { id: "school", name: "School", place: 2, includes_before: false };
  expect((await olga.post("levels", school)).body.data).toMatchObject({ place: 2, contains: [] });
  expect((await levelsSeen()).map(({ id }) => id)).toEqual(["premium", "school", "team"]);
  expect((await levelsSeen()).at(-1)).toMatchObject({ place: 3, contains: ["school"] });
  expect((await vera.post("levels", team)).body.code).toBe("forbidden");
  expect((await olga.post("levels", team)).body.code).toBe("level_exists");
  stage.advance(11 * 60_000);
  for (const [call, body] of [
    ["levels", { ...team, id: "late" }],
    ["levels/team/change", { name: "Late" }],
    ["levels/team/retire", {}],
  ] as const)
    expect((await olga.post(call, body)).body.code).toBe("confirm");
  await olga.confirm();
});

test("a change holds what it was before and after, and may be one of place, name, features and what it includes", async () => {
  const changed = await olga.post("levels/school/change", { place: 9, name: "Schools", reason });
  expect(changed.body.data).toMatchObject({ name: "Schools", place: 3 });
  const both = await olga.post("levels/school/change", { includes_before: true, features: ["class"] });
  expect(both.body.data).toMatchObject({ contains: ["premium", "team"], features: ["class"] });
  expect(await logOf(stage, "school")).toMatchObject([
    { action: "level.added", name: "School", place: 2, includesBefore: false, retired: false },
    { action: "level.changed", before: { name: "School", place: 2 }, after: { name: "Schools", place: 3 } },
    {
      action: "level.changed",
      before: { features: [] },
      after: { features: ["class"], includesBefore: true },
    },
  ]);
  expect((await olga.post("levels/gold/change", { name: "Gold" })).status).toBe(404);
  expect((await olga.post("levels/school/change", {})).status).toBe(400);
});

test("a level's id is a slug, its features are words of 32 characters, and a shop has 64 of them and 20 levels", async () => {
  await using shop = await openStage();
  const sonia = await atDesk(shop, "sonia", "owner");
  const wrong = [
    { id: "Team" },
    { id: "-" },
    { id: "t".repeat(33) },
    { name: "" },
    { name: "n".repeat(81) },
    { features: ["Export"] },
    { features: ["f".repeat(33)] },
    { role: "team" },
    { place: 0 },
    { place: 21 },
  ];
  for (const one of wrong) expect((await sonia.post("levels", { ...team, ...one })).status).toBe(400);
  const many = (from: number, count: number) => Array.from({ length: count }, (_, at) => `f${from + at}`);
  expect((await sonia.post("levels", { ...team, features: many(0, 64) })).status).toBe(200);
  const pro = { id: "pro", name: "Pro", reason };
  expect((await sonia.post("levels", { ...pro, features: many(0, 64) })).status).toBe(200);
  const full = await sonia.post("levels/pro/change", { features: many(1, 64) });
  expect([full.status, full.body.field]).toEqual([400, "features"]);
  await sonia.post("levels/team/retire", { reason });
  // those of retired levels count
  expect((await sonia.post("levels/pro/change", { features: many(1, 64) })).status).toBe(400);
  for (let at = 4; at <= 20; at += 1)
    expect((await sonia.post("levels", { id: `l${at}`, name: "L" })).status).toBe(200);
  expect((await sonia.post("levels", { id: "l21", name: "L" })).body.code).toBe("levels_full");
});

test("a level is retired and never removed: its offers leave the sale, and who has it keeps it", async () => {
  await using shop = await openStage();
  const sonia = await atDesk(shop, "sonia", "owner");
  await sonia.post("levels", team);
  await addOffer(shop.ctx, { id: "team", name: "Team", amount: 900, days: null, level: "team" }, by);
  const buyer = shop.person();
  const session = await checkout(buyer, { offer: "team" });
  const preview = await sonia.post("levels/team/retire", { preview: true });
  expect(preview.body.data).toEqual({ licences: 0, accounts: 0, offers: 1, role: null });
  const retired = await sonia.post("levels/team/retire", { reason });
  expect(retired.body.data).toMatchObject({ retired_at: expect.any(String), features: ["export", "api"] });
  expect((await buyer.get("/api/offers")).body.data).toMatchObject([{ id: "premium" }]);
  const [offer] = (await sonia.get("offers")).body.data.rows;
  expect(offer).toMatchObject({ id: "team", level: "team", state: "level_retired" });
  // a checkout that was open is a sale
  await shop.atStripe("pay", { session, email: "buyer@example.com" });
  const bought = (await verify(buyer, session)).body.data;
  await buyer.register(bought.license_key, "ada");
  expect(await levelShown(shop.ctx, "team", by.actor)).toMatchObject({ accounts: 1, offers: 0 });
  // nothing is given of it any more
  expect(handOut(shop.ctx, { days: null, level: "team" }, by)).rejects.toMatchObject({
    code: "level_unknown",
  });
  expect((await sonia.post("levels/team/retire", { reason })).status).toBe(404);
  const again = await sonia.post("levels/team/change", { again: true, reason });
  expect(again.body.data.retired_at).toBeNull();
  expect((await buyer.get("/api/offers")).body.data).toHaveLength(2);
});

test("what is the last on sale stays: by its level, its offer, or because it is hidden", async () => {
  await using shop = await openStage();
  const sonia = await atDesk(shop, "sonia", "owner");
  await sonia.post("levels", team);
  await addOffer(shop.ctx, { id: "team", name: "Team", amount: 900, days: null, level: "team" }, by);
  await sonia.post("offers/premium/change", { hidden: true });
  expect((await shop.person().get("/api/offers")).body.data).toMatchObject([{ id: "team" }]);
  for (const [call, body] of [
    ["levels/team/retire", {}],
    ["offers/team/retire", {}],
    ["offers/team/change", { hidden: true }],
  ] as const) {
    const refused = await sonia.post(call, body);
    expect([call, refused.status, refused.body.code]).toEqual([call, 409, "last_offer"]);
  }
  await sonia.post("levels", { id: "pro", name: "Pro" });
  await sonia.post("levels/pro/retire", {});
  expect((await sonia.post("offers/team/change", { level: "pro" })).body.code).toBe("level_unknown");
});

test("of two changes at once one is made, and an id that is added twice is added once", async () => {
  await using shop = await openStage();
  await addLevels(shop, { id: "team", name: "Team" });
  const change = (name: string) => changeLevel(shop.ctx, "team", { name, ...choosing() }, by);
  const ends = await Promise.allSettled(["A", "B", "C"].map(change));
  expect(ends.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected", "rejected"]);
  for (const end of ends)
    if (end.status === "rejected") expect(end.reason).toMatchObject({ code: "conflict" });
  const add = () =>
    addLevel(
      shop.ctx,
      { id: "pro", name: "Pro", includesBefore: true, features: [], roleId: null, ...choosing() },
      by,
    );
  const added = await Promise.allSettled([add(), add(), add()]);
  expect(added.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await addOffer(shop.ctx, { id: "team", name: "Team", amount: 900, days: null, level: "team" }, by);
  // both levels' last offers: one of them stays on sale
  const retired = await Promise.allSettled(["premium", "team"].map((id) => retireLevel(shop.ctx, id, by)));
  expect(retired.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect((await shop.person().get("/api/offers")).body.data).toHaveLength(1);
});

test("a level made from an order asks for attention until an owner has changed it", async () => {
  await using shop = await openStage();
  const sonia = await atDesk(shop, "sonia", "owner");
  await commit(shop.ctx.store, [keepLevel(shop.ctx, { id: "team", name: "Team" })]);
  const told = async () =>
    (await sonia.get("attention")).body.data.filter(
      ({ kind }: { kind: string }) => kind === "levels_from_orders",
    );
  expect(await told()).toMatchObject([{ count: 1, link: "/desk/products/levels" }]);
  const changed = await sonia.post("levels/team/change", { features: ["export"], reason });
  expect(changed.body.data).toMatchObject({ from_order: false, retired_at: expect.any(String) });
  expect(await told()).toEqual([]);
});

test("before a role that members already have is chosen, it is said how many have it and would lose it", async () => {
  await using shop = await openStage();
  await addLevels(shop, { id: "team", name: "Team" });
  const role = "123456789012345678";
  const held: JudgeRole = async () => ({ name: "Team", members: 12, losing: 9 });
  const choose = (judge: JudgeRole, takesRole = false) =>
    changeLevel(shop.ctx, "team", { roleId: role, ...choosing(judge, takesRole) }, by);
  expect(choose(held)).rejects.toMatchObject({
    code: "role_held",
    detail: {
      sentence:
        "12 members have Team, and 9 of them would lose it. Choose to take the role from them, or choose another role.",
    },
  });
  const unknown: JudgeRole = async () => ({ name: "Team", members: null, losing: null });
  expect(choose(unknown)).rejects.toMatchObject({ code: "role_held" });
  const forbidden: JudgeRole = () => Promise.reject(new Refusal("discord_off"));
  expect(choose(forbidden, true)).rejects.toMatchObject({ code: "discord_off" });
  await choose(held, true);
  expect((await levelsShown(shop.ctx, by.actor)).at(-1)).toMatchObject({ id: "team", roleId: role });
  // it has that role already, so nobody is asked about
  await changeLevel(shop.ctx, "team", { name: "Teams", roleId: role, ...choosing(forbidden) }, by);
  await changeLevel(shop.ctx, "team", { roleId: null, ...choosing(forbidden) }, by);
  expect((await levelsShown(shop.ctx, by.actor)).at(-1)).toMatchObject({ name: "Teams", roleId: null });
});

test("the command line lists, adds, changes and retires levels, and previews", async () => {
  await using shop = await openStage();
  const why = ["--reason", reason];
  expect(await operated(shop, "levels", "list")).toMatchObject([
    { id: "premium", accounts: 0, contains: [] },
  ]);
  const added = await operated(
    shop,
    "levels",
    "add",
    "team",
    "--name",
    "Team",
    "--features",
    "export,api",
    ...why,
  );
  expect(added).toMatchObject({
    id: "team",
    features: ["export", "api"],
    includesBefore: true,
    roleId: null,
  });
  const alone = await operated(
    shop,
    "levels",
    "add",
    "school",
    "--name",
    "S",
    "--no-includes-before",
    "--place",
    "2",
  );
  expect(alone).toMatchObject({ place: 2, contains: [] });
  const change = (...args: string[]) => operated(shop, "levels", "change", "team", ...args);
  expect(await change("--features", "", "--no-includes-before")).toMatchObject({
    features: [],
    includesBefore: false,
  });
  expect(await change("--includes-before", "--role", "none")).toMatchObject({ contains: ["school"] });
  expect(await change("--name", "Teams", "--preview")).toEqual({
    licences: 0,
    accounts: 0,
    offers: 0,
    role: null,
  });
  expect(await change("--place", "1")).toMatchObject({ name: "Team", place: 1 });
  expect((await operate(shop, "levels", "change", "team")).code).toBe(2);
  const roleless = await operate(shop, "levels", "change", "team", "--role", "123456789012345678");
  expect([roleless.code, roleless.err]).toEqual([1, expect.stringContaining("isn't using Discord")]);
  const retired = await operate(shop, "levels", "retire", "team", ...why);
  expect(retired.out).toContain("was retired");
  expect((await operate(shop, "levels", "retire", "premium", ...why)).err).toContain(
    "Nothing else is on sale. Put an offer of another level on sale before you retire it.",
  );
  expect((await operate(shop, "levels", "list")).out).toContain("retired");
});

test("an offer sells one level, and is hidden or not, on the command line and at the desk", async () => {
  await using shop = await openStage();
  const sonia = await atDesk(shop, "sonia", "owner");
  await addLevels(shop, { id: "team", name: "Team" });
  const why = ["--reason", reason];
  const month = ["offers", "add", "month", "--name", "M", "--amount", "300", "--level", "team", "--hidden"];
  await operated(shop, ...month, ...why);
  expect((await sonia.get("offers")).body.data.rows[0]).toMatchObject({ level: "team", hidden: true });
  expect((await shop.person().get("/api/offers")).body.data).toHaveLength(1);
  expect(await operated(shop, "offers", "list")).toMatchObject([
    { id: "premium", level: "premium", hidden: false },
    { id: "month", level: "team", hidden: true, state: "on sale" },
  ]);
  await operated(shop, "offers", "change", "month", "--no-hidden", "--level", "premium", ...why);
  expect(await logOf(shop, "month")).toMatchObject([
    { action: "offer.added", level: "team", hidden: true },
    { before: { level: "team", hidden: true }, after: { level: "premium", hidden: false } },
  ]);
  const desk = await sonia.post("offers/month/change", { level: "team", hidden: true, reason });
  expect(desk.body.data).toMatchObject({ level: "team", hidden: true });
  const wrong = await sonia.post("offers/month/change", { level: "gold", reason });
  expect([wrong.status, wrong.body.code, wrong.body.field]).toEqual([400, "level_unknown", "level"]);
  const year = { id: "year", name: "Y", amount: 300, reason };
  expect((await sonia.post("offers", year)).body.data).toMatchObject({ level: "premium", hidden: false });
});

test("issuing, granting, jobs and batches choose a level, or follow the offer's, or take the first", async () => {
  await using shop = await openStage();
  const sonia = await atDesk(shop, "sonia", "owner");
  await addLevels(shop, { id: "team", name: "Team" });
  await addOffer(shop.ctx, { id: "team", name: "Team", amount: 900, days: 30, level: "team" }, by);
  const why = ["--reason", reason];
  const levelOf = async (key: string) => (await operated(shop, "licences", "show", key)).type;
  const issue = async (...args: string[]) =>
    levelOf((await operated(shop, "licences", "issue", ...args, ...why)).key);
  expect([await issue(), await issue("--level", "team")]).toEqual(["premium", "team"]);
  expect((await operate(shop, "licences", "issue", "--level", "gold", ...why)).err).toContain(
    "no such level",
  );
  const { keys } = await operated(shop, "licences", "batch", "2", "--level", "team", ...why);
  expect(await Promise.all(keys.map(levelOf))).toEqual(["team", "team"]);
  const customer = (await sonia.get("customers")).body.data.rows[0].id;
  await sonia.post(`customers/${customer}/grant`, { offer: "team", reason });
  await sonia.post(`customers/${customer}/grant`, { offer: "premium", level: "team", reason });
  const levelsOf = async (what: string) =>
    (await shop.ctx.store.client.execute(`SELECT type FROM licences WHERE ${what} ORDER BY rowid`)).rows.map(
      ({ type }) => type,
    );
  expect(await levelsOf("account_id IS NOT NULL AND offer IS NOT NULL")).toEqual(["team", "team"]);
  await sonia.post("licences/issue", { offer: "premium", count: 1, reason });
  await sonia.post("licences/issue", { offer: "premium", level: "team", count: 1, reason });
  await shop.shop.worker.drain();
  expect(await levelsOf("account_id IS NULL AND offer = 'premium'")).toEqual(["premium", "team"]);
  const gold = await sonia.post("licences/issue", {
    offer: "premium",
    level: "gold",
    count: 1,
    reason,
    preview: true,
  });
  expect(gold.body.code).toBe("level_unknown");
});
