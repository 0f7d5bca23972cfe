import { expect, test } from "bun:test";
import { inArray } from "drizzle-orm";
import { links } from "@/domain/community/tables";
import { licences } from "@/domain/licences/tables";
import { fillServer, settles, surveyed } from "../crowd";
import { botIsUp } from "../community";
import { openStage } from "../stage";

test("a thousand members with a hundred differences converge, and no bucket is overrun", async () => {
  await using stage = await openStage({ discord: true });
  await botIsUp(stage);
  await surveyed(stage);
  const { userIds, accountIds } = await fillServer(stage, 1000);
  const { db } = stage.ctx.store;
  // fifty lost their licence behind the bot's back, twenty-five were moved to other members
  await db
    .update(licences)
    .set({ revokedAt: stage.ctx.now() })
    .where(inArray(licences.accountId, accountIds.slice(0, 50)));
  const moved = userIds.slice(50, 75);
  const { members } = await stage.atDiscord("seed-members", { count: 25 });
  const newcomers: string[] = members.map((one: { id: string }) => one.id);
  for (const [at, userId] of newcomers.entries()) {
    await db
      .update(links)
      .set({ discordUserId: userId })
      .where(inArray(links.discordUserId, [moved[at] ?? ""]));
  }
  const wanted = [...userIds.slice(75), ...newcomers];
  const writesBefore = writes(await stage.atDiscord("tally"));
  stage.advance(3_600_000);
  const took = await settles(stage, wanted, 60_000);
  const tally = await stage.atDiscord("tally");
  console.log(`1,000 members, 100 differences: ${(took / 1000).toFixed(1)} s, ${tally.requests} requests`);
  expect(took).toBeLessThan(60_000);
  expect(writes(tally) - writesBefore).toBe(100);
  expect(tally.limited).toEqual({ user: 0, global: 0, shared: 0 });
  expect(tally.invalid).toBe(0);
}, 120_000);

const writes = ({ routes }: { routes: Record<string, number> }) =>
  ["PUT", "DELETE"].reduce(
    (sum, method) => sum + (routes[`${method} /guilds/:id/members/:id/roles/:id`] ?? 0),
    0,
  ) + (routes["PATCH /guilds/:id/members/:id"] ?? 0);
