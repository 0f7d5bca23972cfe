import { expect, test } from "bun:test";
import { and, eq } from "drizzle-orm";
import { commit, type Write } from "@/core/database/commit";
import { newId } from "@/core/database/context";
import { outbox } from "@/core/database/schema";
import { type Guild, GuildForbids, GuildUnavailable } from "@/domain/discord/guild";
import { reconcileMember } from "@/domain/discord/reconcile-member";
import { reconcileMembers } from "@/domain/discord/reconcile-members";
import { accounts } from "@/domain/schema/accounts";
import { linkRoles, links } from "@/domain/schema/discord";
import { levels } from "@/domain/schema/levels";
import { licences } from "@/domain/schema/licences";
import { seededRandom } from "../../crash/random";
import { customer } from "../../support/people/discord";
import { addLevels } from "../../support/shop/levels";
import { openStage } from "../../support/shop/stage";

const seed = Number(process.env["MODEL_SEED"] ?? Date.now());
const steps = 2_000;

const users = ["11", "12", "13", "14", "15"];
const roleIds = ["r1", "r2", "r3", "r4"];
const levelIds = ["premium", "team", "studio"];

test(`after ${steps} random steps with faults, everybody has the roles that their licences give, and keeps what hands gave`, async () => {
  console.log(`roles of levels: MODEL_SEED=${seed}`);
  await using stage = await openStage();
  const { ctx } = stage;
  const { db } = ctx.store;
  const { next, pick } = seededRandom(seed);
  await addLevels(stage, { id: "team" }, { id: "studio" });
  for (const name of users) await customer(stage, `user${name}`);
  await db.delete(licences);
  const owners = await db.select({ id: accounts.id }).from(accounts).orderBy(accounts.username);
  const accountOf = new Map(users.map((user, at) => [user, owners[at]?.id ?? ""]));
  const write = (...writes: Write[]) => commit(ctx.store, writes);

  // Discord: who is there, and who gave each of their roles
  const members = new Map(users.map((user) => [user, new Map<string, "shop" | "hand">()]));
  let faults = 0;
  const faulty = async (change: () => boolean): Promise<boolean> => {
    const fate = next();
    if (fate < faults / 3) throw new GuildUnavailable("away");
    if (fate < (2 * faults) / 3) throw new GuildForbids("50013");
    const made = change();
    if (fate < faults) throw new GuildUnavailable("the answer was lost");
    return made;
  };
  const guild: Guild = {
    firstRoleId: "r1",
    may: () => true,
    roles: async () => [],
    member: async (userId) => {
      const held = members.get(userId);
      return held ? { userId, roleIds: [...held.keys()] } : null;
    },
    join: async () => null,
    grant: (userId, roleId) =>
      faulty(
        () => members.get(userId)?.set(roleId, members.get(userId)?.get(roleId) ?? "shop") !== undefined,
      ),
    take: (userId, roleId) => faulty(() => (members.get(userId)?.delete(roleId), members.has(userId))),
    async *members() {
      yield [...members].map(([userId, held]) => ({ userId, roleIds: [...held.keys()] }));
    },
  };
  const waiting = new Set<string>();
  /** A worker whose process may die between Discord's answer and the commit; it is tried again later. */
  const settle = async (user: string) => {
    waiting.add(user);
    const writes = await reconcileMember(ctx, guild, user).catch(() => null);
    if (!writes || next() < faults) return;
    await write(...writes);
    waiting.delete(user);
  };
  const quiet = async () => {
    faults = 0;
    await reconcileMembers(ctx, guild);
    const jobs = await db
      .select({ subject: outbox.subject })
      .from(outbox)
      .where(eq(outbox.topic, "member.reconcile"));
    for (const user of new Set([...waiting, ...jobs.map(({ subject }) => subject)])) await settle(user);
    await db.delete(outbox);
  };

  const change = {
    redeem: (user: string, level: string) =>
      db.insert(licences).values({
        id: newId(),
        keyHash: newId(),
        keySealed: "",
        level,
        chain: level,
        accountId: accountOf.get(user),
        redeemedAt: ctx.now(),
        createdAt: ctx.now(),
      }),
    end: (user: string, level: string) =>
      db
        .delete(licences)
        .where(and(eq(licences.accountId, accountOf.get(user) ?? ""), eq(licences.level, level))),
    link: (user: string) =>
      db
        .insert(links)
        .values({ accountId: accountOf.get(user) ?? "", discordUserId: user, linkedAt: ctx.now() })
        .onConflictDoNothing(),
    unlink: (user: string) => db.delete(links).where(eq(links.discordUserId, user)),
    changeRole: (_: string, level: string, roleId: string | null) =>
      db.update(levels).set({ roleId }).where(eq(levels.id, level)),
  };
  const atDiscord = {
    leave: (user: string) => void members.delete(user),
    join: (user: string) => void (members.has(user) || members.set(user, new Map())),
    handGives: (user: string, roleId: string) => {
      const held = members.get(user);
      if (held && !held.has(roleId)) held.set(roleId, "hand");
    },
    handTakes: (user: string, roleId: string) => void members.get(user)?.delete(roleId),
  };
  const names = [
    ...Object.keys(change),
    ...Object.keys(atDiscord),
    "redeem",
    "link",
    "settle",
    "settle",
    "settle",
  ] as (keyof typeof change | keyof typeof atDiscord | "settle")[];

  for (let step = 0; step < steps; step += 1) {
    const [does, user, level, roleId] = [pick(names), pick(users), pick(levelIds), pick(roleIds)];
    faults = 0.3;
    if (does === "settle") await settle(user);
    else if (does in change)
      await change[does as keyof typeof change](user, level, next() < 0.2 ? null : roleId);
    else atDiscord[does as keyof typeof atDiscord](user, roleId);
    if (step % 12 !== 0) continue;

    const recorded = await db.select().from(linkRoles);
    const before = new Map([...members].map(([id, held]) => [id, new Map(held)]));
    await quiet();
    const ladder = await db.select().from(levels).orderBy(levels.place);
    const given = new Map(ladder.map(({ id, roleId: own }, at) => [id, own ?? (at === 0 ? "r1" : null)]));
    const linked = new Set((await db.select().from(links)).map(({ discordUserId }) => discordUserId));
    const held = await db.select().from(licences);
    for (const [id, roles] of members)
      for (const role of roleIds) {
        const own = held.filter(({ accountId }) => accountId === accountOf.get(id));
        const isLevels = [...given.values()].includes(role);
        const isDue = linked.has(id) && own.some((one) => given.get(one.level) === role);
        const isShops = recorded.some((one) => one.discordUserId === id && one.roleId === role);
        const stays = before.get(id)?.get(role) === "hand" && !isShops;
        const told = JSON.stringify({ step, id, role, given: [...given], recorded });
        if (isLevels) expect([role, roles.has(role)], told).toEqual([role, isDue]);
        else if (!isShops || !roles.has(role)) expect([role, roles.has(role)], told).toEqual([role, stays]);
        else expect(roles.get(role), told).toBe("hand");
      }
    // what is recorded is there
    for (const { discordUserId, roleId: role } of await db.select().from(linkRoles))
      expect(members.get(discordUserId)?.has(role)).toBe(true);
  }
});
