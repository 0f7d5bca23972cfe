import { expect, test } from "bun:test";
import { operateWith, settingsOf } from "../../support/operator/run-operator";
import { atDesk } from "../../support/people/desk";
import { holders, makeRole, roleIdOf, waitForHolders } from "../../support/people/discord";
import { advanceUntilHeld, connected, give, openRoleStage } from "../../support/shop/level-roles";
import { discordSettings } from "../../support/shop/stage";

test("an owner learns who has a role and who would lose it before a level gets it, and then everybody moves", async () => {
  await using stage = await openRoleStage();
  await connected(stage, "ada", "team");
  await waitForHolders(stage, ["ada"], "Team");
  const olga = await atDesk(stage, "olga", "owner");
  const gold = await makeRole(stage, "Gold");
  await stage.atDiscord("join", { user: "tim" });
  await give(stage, "tim", "Gold");
  const change = (body: object) => olga.post("levels/team/change", body);
  const preview = await change({ role: gold, preview: true });
  expect(preview.body.data).toEqual({
    licences: 1,
    accounts: 1,
    offers: 0,
    role: { name: "Gold", members: 1, losing: 1 },
  });
  const refused = await change({ role: gold });
  expect([refused.status, refused.body.code, refused.body.field]).toEqual([409, "role_held", "role"]);
  expect(refused.body.data).toContain("1 member has Gold, and 1 of them would lose it.");
  expect((await change({ role: gold, take_role: true })).body.data.role).toBe(gold);
  await advanceUntilHeld(stage, ["ada"], "Gold");
  await advanceUntilHeld(stage, [], "Team");
  expect((await change({ role: null })).status).toBe(200);
  await advanceUntilHeld(stage, [], "Gold");
});

test("a level never gets a forbidden role, whether it is new or changed", async () => {
  await using stage = await openRoleStage();
  const olga = await atDesk(stage, "olga", "owner");
  const managed = await roleIdOf(stage, "Shop");
  for (const [call, body] of [
    ["levels", { id: "pro", name: "Pro", role: managed, take_role: true }],
    ["levels/team/change", { role: managed, take_role: true }],
    ["levels/team/change", { role: managed, preview: true }],
  ] as const) {
    const refused = await olga.post(call, body);
    expect([call, refused.body.code, refused.body.field]).toEqual([call, "role_managed", "role"]);
  }
});

test("a licence's other level moves its owner from one role to the other", async () => {
  await using stage = await openRoleStage();
  await connected(stage, "ada", "premium");
  await waitForHolders(stage, ["ada"]);
  const olga = await atDesk(stage, "olga", "owner");
  const [licence] = (await olga.get("licences")).body.data.rows.filter(
    ({ customer }: { customer: { username: string } | null }) => customer?.username === "ada",
  );
  const changed = await olga.post(`licences/${licence.id}/level`, { level: "team", reason: "a story" });
  expect(changed.status).toBe(200);
  await advanceUntilHeld(stage, ["ada"], "Team");
  await advanceUntilHeld(stage, []);
});

test("the command line says who would lose a role, and takes it only when told to", async () => {
  await using stage = await openRoleStage();
  const gold = await makeRole(stage, "Gold");
  await stage.atDiscord("join", { user: "tim" });
  await give(stage, "tim", "Gold");
  const settings = { ...settingsOf(stage), DISCORD: "", ...discordSettings(stage.discord) };
  const change = ["levels", "change", "team", "--role", gold];
  const choose = (...more: string[]) => operateWith(settings, ...change, ...more);
  const held = "1 member has Gold, and 1 of them would lose it.";
  expect((await choose("--preview")).out).toContain(held);
  const refused = await choose();
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(held)]);
  expect(await holders(stage, "Gold")).toEqual(["tim"]);
  expect((await choose("--take-role")).code).toBe(0);
  await advanceUntilHeld(stage, [], "Gold");
});
