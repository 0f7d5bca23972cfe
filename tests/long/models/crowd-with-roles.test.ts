import { expect, spyOn, test } from "bun:test";
import { inArray } from "drizzle-orm";
import { hour } from "@/contract/vocabulary/time";
import { links } from "@/domain/schema/discord";
import type { Guild } from "@/domain/discord/guild";
import { reconcileMembers } from "@/domain/discord/reconcile-members";
import { licences } from "@/domain/schema/licences";
import { fillServer, timeUntilHeld } from "../../support/people/many-members";
import { waitForBot, waitForReconciliations } from "../../support/people/discord";
import { openStage } from "../../support/shop/stage";

test("a thousand members with forty differences converge with one write per difference", async () => {
  await using stage = await openStage({ discord: true });
  await waitForBot(stage);
  await waitForReconciliations(stage);
  const { userIds, accountIds } = await fillServer(stage, 1000);
  const { db } = stage.ctx.store;
  // twenty lost their licence unnoticed by the bot, and ten links moved to other members
  await db
    .update(licences)
    .set({ revokedAt: stage.ctx.now() })
    .where(inArray(licences.accountId, accountIds.slice(0, 20)));
  const moved = userIds.slice(20, 30);
  const { members } = await stage.atDiscord("seed-members", { count: 10 });
  const newcomers: string[] = members.map((one: { id: string }) => one.id);
  for (const [at, userId] of newcomers.entries()) {
    await db
      .update(links)
      .set({ discordUserId: userId })
      .where(inArray(links.discordUserId, [moved[at] ?? ""]));
  }
  const wanted = [...userIds.slice(30), ...newcomers];
  const writesBefore = writes(await stage.atDiscord("tally"));
  stage.advance(hour);
  // as fast as a hundred differences of one kind in 150 s; the benchmark has ten thousand members
  const took = await timeUntilHeld(stage, wanted, 45_000);
  const tally = await stage.atDiscord("tally");
  console.log(`1,000 members, 40 differences: ${(took / 1000).toFixed(1)} s, ${tally.requests} requests`);
  expect(writes(tally) - writesBefore - overrunWrites(tally)).toBe(40);
  // a member's other roles are never written
  expect(tally.routes["PATCH /guilds/:id/members/:id"]).toBeUndefined();
  expect(tally.invalid).toBeLessThan(10);
});

type Counts = Record<string, number>;
const ofRoles = (counts: Counts) =>
  (counts["PUT /guilds/:id/members/:id/roles/:id"] ?? 0) +
  (counts["DELETE /guilds/:id/members/:id/roles/:id"] ?? 0);
const writes = ({ routes }: { routes: Counts }) => ofRoles(routes);
/** discord.js learns a bucket's limit from an answer, so early calls of a burst may be refused and retried. */
const overrunWrites = ({ overrun }: { overrun: Counts }) => ofRoles(overrun);

test("a reconciliation of all members writes a few differences at a time, so that visitors are still served", async () => {
  await using stage = await openStage();
  const members = Array.from({ length: 2_000 }, (_, at) => ({ userId: String(at), roleIds: ["1"] }));
  const guild: Guild = {
    firstRoleId: "1",
    may: () => true,
    roles: async () => [],
    member: async () => null,
    join: async () => null,
    grant: async () => true,
    take: async () => true,
    async *members() {
      for (let from = 0; from < members.length; from += 1_000) yield members.slice(from, from + 1_000);
    },
  };
  let turns = 0;
  const visitor = setInterval(() => (turns += 1), 1);
  using batch = spyOn(stage.ctx.store.client, "batch");
  expect(await reconcileMembers(stage.ctx, guild)).toEqual({ members: 2_000, differences: 2_000 });
  clearInterval(visitor);
  const sizes = batch.mock.calls.map(([statements]) => statements.length);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(20);
  expect(turns).toBeGreaterThan(50);
  const { rows } = await stage.ctx.store.client.execute("SELECT count(*) AS n FROM outbox");
  expect(rows[0]?.["n"]).toBe(2_000);
});
