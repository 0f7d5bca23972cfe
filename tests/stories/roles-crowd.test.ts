import { expect, test } from "bun:test";
import { inArray } from "drizzle-orm";
import { links } from "@/domain/community/tables";
import { licences } from "@/domain/licences/tables";
import { fillServer, settles } from "../crowd";
import { botIsUp, surveyed } from "../community";
import { openStage } from "../stage";

test("a thousand members with sixty differences converge, and no bucket is overrun", async () => {
  await using stage = await openStage({ discord: true });
  await botIsUp(stage);
  await surveyed(stage);
  const { userIds, accountIds } = await fillServer(stage, 1000);
  const { db } = stage.ctx.store;
  // forty lost their licence behind the bot's back, ten were moved to other members
  await db
    .update(licences)
    .set({ revokedAt: stage.ctx.now() })
    .where(inArray(licences.accountId, accountIds.slice(0, 40)));
  const moved = userIds.slice(40, 50);
  const { members } = await stage.atDiscord("seed-members", { count: 10 });
  const newcomers: string[] = members.map((one: { id: string }) => one.id);
  for (const [at, userId] of newcomers.entries()) {
    await db
      .update(links)
      .set({ discordUserId: userId })
      .where(inArray(links.discordUserId, [moved[at] ?? ""]));
  }
  const wanted = [...userIds.slice(50), ...newcomers];
  const writesBefore = writes(await stage.atDiscord("tally"));
  stage.advance(3_600_000);
  // the pace of a hundred differences in a minute; the benchmark has ten thousand members
  const took = await settles(stage, wanted, 36_000);
  const tally = await stage.atDiscord("tally");
  console.log(`1,000 members, 60 differences: ${(took / 1000).toFixed(1)} s, ${tally.requests} requests`);
  expect(writes(tally) - writesBefore).toBe(60);
  expect(tally.limited).toEqual({ user: 0, global: 0, shared: 0 });
  expect(tally.invalid).toBe(0);
}, 120_000);

const writes = ({ routes }: { routes: Record<string, number> }) =>
  ["PUT", "DELETE"].reduce(
    (sum, method) => sum + (routes[`${method} /guilds/:id/members/:id/roles/:id`] ?? 0),
    0,
  ) + (routes["PATCH /guilds/:id/members/:id"] ?? 0);
