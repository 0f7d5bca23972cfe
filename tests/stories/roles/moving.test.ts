import { expect, test } from "bun:test";
import { operator } from "@/core/base/actor";
import { attentionFor } from "@/domain/staff-queries/attention";
import { eq } from "drizzle-orm";
import { levels } from "@/domain/schema/levels";
import { fillServer } from "../../support/people/many-members";
import { holders, makeRole, roleIdOf, waitForChanges, waitForHolders } from "../../support/people/discord";
import {
  advanceUntilHeld,
  changeRole,
  connected,
  give,
  keyOf,
  openRoleStage,
  recorded,
  redeem,
  revoke,
} from "../../support/shop/level-roles";
import { eventually } from "../../support/shop/stage";

test("a changed role moves everybody from now on; of the former one, only what the shop gave is taken", async () => {
  await using stage = await openRoleStage();
  await connected(stage, "ada", "team");
  await connected(stage, "dora", "premium");
  await waitForHolders(stage, ["ada"], "Team");
  const gold = await makeRole(stage, "Gold");
  // a hand gives Dora the new role, and Tim, who has no account, the new one and the former one later
  await stage.atDiscord("join", { user: "tim" });
  await give(stage, "dora", "Gold");
  await give(stage, "tim", "Gold");
  await changeRole(stage, "team", gold);
  await waitForHolders(stage, ["ada"], "Gold");
  await waitForHolders(stage, [], "Team");
  await give(stage, "tim", "Team");
  await stage.restart();
  await waitForHolders(stage, ["ada"], "Gold");
  await waitForChanges(stage);
  expect(await holders(stage, "Team")).toEqual(["tim"]);
  expect(await holders(stage)).toEqual(["dora"]);
  await waitForChanges(stage);
  const { rows } = await stage.ctx.store.client.execute(
    "SELECT count(*) AS n FROM audit_log WHERE action IN ('discord.role_granted', 'discord.role_taken')",
  );
  // ada twice given and once taken, dora given, and what hands gave taken from both
  expect(rows[0]?.["n"]).toBe(6);
});

test("whoever redeems while a role is changing has the new one, and not the former", async () => {
  await using stage = await openRoleStage();
  const { person } = await connected(stage, "ada", "premium");
  await connected(stage, "dora", "team");
  await waitForHolders(stage, ["dora"], "Team");
  const [gold, key] = [await makeRole(stage, "Gold"), await keyOf(stage, "team")];
  await Promise.all([changeRole(stage, "team", gold), redeem(person, key)]);
  await waitForHolders(stage, ["ada", "dora"], "Gold");
  await waitForHolders(stage, [], "Team");
  // and the other way round
  const { keys } = await connected(stage, "tim", "team");
  await waitForHolders(stage, ["ada", "dora", "tim"], "Gold");
  await Promise.all([revoke(stage, keys[0]), changeRole(stage, "team", null)]);
  await waitForHolders(stage, [], "Gold");
  await waitForChanges(stage);
  expect(await recorded(stage)).toHaveLength(1);
});

test("Today shows how many members' roles are moved, until all are", async () => {
  await using stage = await openRoleStage();
  for (const name of ["ada", "dora", "tim"]) await connected(stage, name, "team");
  await waitForHolders(stage, ["ada", "dora", "tim"], "Team");
  const gold = await makeRole(stage, "Gold");
  const today = async () =>
    (await attentionFor(stage.ctx, operator)).filter(({ kind }) => kind === "moving_roles");
  expect(await today()).toEqual([]);
  await stage.atDiscord("faults", {
    api: { next: [{ count: 100_000, fail: 503, path: `/roles/${gold}` }] },
  });
  await changeRole(stage, "team", gold);
  await eventually(async () => (await today())[0]?.words === "0 of 3");
  expect(await today()).toMatchObject([{ count: 3, link: "/desk/products" }]);
  await stage.atDiscord("faults", { api: { next: [] } });
  await advanceUntilHeld(stage, ["ada", "dora", "tim"], "Gold");
  await waitForChanges(stage);
  expect(await today()).toEqual([]);
  expect(await holders(stage, "Team")).toEqual([]);
});

test("of roles that a level gets at once while members are being reconciled, everybody has one, and no other", async () => {
  await using stage = await openRoleStage();
  await fillServer(stage, 12, { level: "team", role: "Team" });
  const [gold, silver] = [await makeRole(stage, "Gold"), await makeRole(stage, "Silver")];
  await stage.restart();
  await Promise.all([gold, silver, gold].map((role) => changeRole(stage, "team", role)));
  const [level] = await stage.ctx.store.db.select().from(levels).where(eq(levels.id, "team"));
  const last = level?.roleId === gold ? "Gold" : "Silver";
  for (const role of ["Team", "Gold", "Silver"])
    await eventually(async () => (await holders(stage, role)).length === (role === last ? 12 : 0));
  await waitForChanges(stage);
  expect(new Set(await recorded(stage))).toEqual(new Set([await roleIdOf(stage, last)]));
});
