import { expect, test } from "bun:test";
import { operator } from "@/core/base/actor";
import { attentionFor } from "@/domain/staff-queries/attention";
import { eq } from "drizzle-orm";
import { commit } from "@/core/database/commit";
import type { Guild } from "@/domain/discord/guild";
import { reconcileMember } from "@/domain/discord/reconcile-member";
import { reconcileMembers } from "@/domain/discord/reconcile-members";
import { accounts } from "@/domain/schema/accounts";
import { linkRoles, links } from "@/domain/schema/discord";
import { levels } from "@/domain/schema/levels";
import { fillServer } from "../../support/people/many-members";
import {
  customer,
  holders,
  makeRole,
  roleIdOf,
  waitForChanges,
  waitForHolders,
} from "../../support/people/discord";
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
import { eventually, openStage, type Stage } from "../../support/shop/stage";

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

/** Somebody with a level whose role is `R1`, in a server that keeps what it is told. */
async function linkedMember(stage: Stage) {
  const { ctx } = stage;
  await customer(stage, "ada");
  const [account] = await ctx.store.db.select().from(accounts);
  await ctx.store.db.update(levels).set({ roleId: "R1" });
  await ctx.store.db
    .insert(links)
    .values({ accountId: account?.id ?? "", discordUserId: "42", linkedAt: ctx.now() });
  const held = new Set<string>();
  const guild: Guild = {
    firstRoleId: "1",
    may: () => true,
    roles: async () => [],
    member: async (userId) => ({ userId, roleIds: [...held] }),
    join: async () => null,
    grant: async (_, roleId) => (held.add(roleId), true),
    take: async (_, roleId) => (held.delete(roleId), true),
    async *members() {
      yield [{ userId: "42", roleIds: [...held] }];
    },
  };
  const settle = async (by = guild) => commit(ctx.store, await reconcileMember(ctx, by, "42"));
  return { guild, held, settle, giveRole: (roleId: string) => ctx.store.db.update(levels).set({ roleId }) };
}

test("a role that was still being given while another process moved the member is taken", async () => {
  await using stage = await openStage();
  const { guild, held, settle, giveRole } = await linkedMember(stage);
  await settle({
    ...guild,
    async grant(...asked) {
      await giveRole("R2");
      await settle();
      return guild.grant(...asked);
    },
  });
  await settle();
  expect([...held]).toEqual(["R2"]);
});

test("a role given after the backup that was restored is still taken once its level gives another", async () => {
  for (const seenBy of ["a check of all members", "a member's own"]) {
    await using stage = await openStage();
    const { guild, held, settle, giveRole } = await linkedMember(stage);
    await settle();
    await stage.ctx.store.db.delete(linkRoles);
    if (seenBy === "a member's own") await settle();
    else expect(await reconcileMembers(stage.ctx, guild)).toEqual({ members: 1, differences: 0 });
    await giveRole("R2");
    await settle();
    expect([seenBy, ...held]).toEqual([seenBy, "R2"]);
  }
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
