import { expect, test } from "bun:test";
import { atDesk } from "../../support/people/desk";
import { makeRole, roleIdOf, waitForHolders } from "../../support/people/discord";
import { advanceUntilHeld, connected, give, openRoleStage } from "../../support/shop/level-roles";

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
