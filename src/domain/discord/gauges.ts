import { and, eq, gt, gte, inArray, isNotNull, lt, max } from "drizzle-orm";
import type { Ctx } from "@/core/database/context";
import type { Gauge } from "@/core/log/metrics";
import { limitCounters, outbox } from "@/core/database/schema";
import { botTopics } from "../outbox-topics";
import { activeLevels } from "../licences/entitlement/entitlement";
import { links } from "../schema/discord";
import { ladderOf } from "../levels/list";
import { identifyBudgets } from "./identify-budgets";
import { givesRole } from "./roles";

export const discordGauges = async (ctx: Ctx): Promise<Gauge[]> =>
  (await Promise.all([roles(ctx), identifies(ctx)])).flat();

/** The most waiting reconciliations that the gauge reads. */
const mostWaiting = 1_000;

/** Members whose roles don't match their licences. Each has a waiting reconciliation. */
async function roles(ctx: Ctx): Promise<Gauge[]> {
  const { db } = ctx.store;
  const waiting = db
    .select({ subject: outbox.subject })
    .from(outbox)
    .where(inArray(outbox.topic, [botTopics.reconcileMember.name, botTopics.moveMember.name]))
    .limit(mostWaiting)
    .as("waiting");
  const [rows, ladder] = await Promise.all([
    db
      .select({
        user: waiting.subject,
        held: links.heldLevels,
        levels: activeLevels(ctx, links.accountId, ctx.now()),
      })
      .from(waiting)
      .innerJoin(links, eq(links.discordUserId, waiting.subject))
      .where(and(eq(links.member, true), isNotNull(links.heldLevels))),
    ladderOf(ctx),
  ]);
  const giving = ladder.filter(givesRole).map(({ id }) => id);
  const isWrong = ({ held, levels }: (typeof rows)[number]) =>
    String(held) !== String(giving.filter((id) => levels.includes(id)));
  // a member may wait in both lanes
  const wrong = new Set(rows.filter(isWrong).map(({ user }) => user));
  const help = "Linked members whose roles are wrong.";
  return [{ name: "latchkey_role_differences", help, values: [{ value: wrong.size }] }];
}

async function identifies(ctx: Ctx): Promise<Gauge[]> {
  const left = identifyBudgets.map(async ({ name, most, window }) => {
    const [found] = await ctx.store.db
      .select({ used: max(limitCounters.count) })
      .from(limitCounters)
      // every key that begins with the name and a colon
      .where(
        and(
          gt(limitCounters.key, `${name}:`),
          lt(limitCounters.key, `${name};`),
          gte(limitCounters.endsAt, ctx.now()),
        ),
      );
    return { labels: { window }, value: most - (found?.used ?? 0) };
  });
  const help = "How often the bot may still identify at Discord, by its own budget.";
  return [{ name: "latchkey_discord_identifies_left", help, values: await Promise.all(left) }];
}
