import { and, count, eq, gt, gte, isNotNull, lt, max, ne } from "drizzle-orm";
import type { Ctx } from "@/core/database/context";
import type { Gauge } from "@/core/log/metrics";
import { limitCounters, outbox } from "@/core/database/schema";
import { botTopics } from "../outbox-topics";
import { isEntitled } from "../licences/entitlement/entitlement";
import { links } from "../schema/discord";
import { identifyBudgets } from "./identify-budgets";

export const discordGauges = async (ctx: Ctx): Promise<Gauge[]> =>
  (await Promise.all([roles(ctx), identifies(ctx)])).flat();

/** The most waiting reconciliations that the gauge reads. */
const mostWaiting = 1_000;

/** Members whose premium role doesn't match their licences. Each has a waiting reconciliation. */
async function roles(ctx: Ctx): Promise<Gauge[]> {
  const { db } = ctx.store;
  const entitled = isEntitled(ctx, links.accountId, ctx.now());
  const waiting = db
    .select({ subject: outbox.subject })
    .from(outbox)
    .where(eq(outbox.topic, botTopics.reconcileMember.name))
    .limit(mostWaiting)
    .as("waiting");
  const [found] = await db
    .select({ value: count() })
    .from(waiting)
    .innerJoin(links, eq(links.discordUserId, waiting.subject))
    .where(and(eq(links.member, true), isNotNull(links.holdsRole), ne(links.holdsRole, entitled)));
  const help = "Linked members whose premium role is wrong.";
  return [{ name: "latchkey_role_differences", help, values: [{ value: found?.value ?? 0 }] }];
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
