import type { IIdentifyThrottler } from "discord.js";
import { minute } from "@/contract/vocabulary/time";
import type { Ctx } from "@/core/database/context";
import { spend } from "@/core/limits/limits";
import { reasonOf } from "@/core/log/log";
import { Refusal } from "@/core/base/refusal";
import { identifyBudgets } from "@/domain/discord/identify-budgets";
import { waitOnClock } from "./elapsed";

/** Discord's own pace for one shard is five seconds. */
const paceMilliseconds = 5_500;
const longestSleepMilliseconds = minute;
const afterFailureMilliseconds = 5_000;

export type IdentifyBudget = IIdentifyThrottler;

/**
 * Lets one IDENTIFY through at a time, at Discord's pace, whichever client sends it. Counts them in the database,
 * across restarts and processes, and waits while the budget is used up. Rejects only when the signal aborts: after any
 * other failure discord.js would identify anyway.
 */
export function identifyBudget(ctx: Ctx, clientId: string): IdentifyBudget {
  let last: Promise<void> = Promise.resolve();
  let lastAt = Number.NEGATIVE_INFINITY;
  const pass = async (signal: AbortSignal) => {
    await waitOnClock(ctx, paceMilliseconds - Math.abs(ctx.now().getTime() - lastAt), signal);
    for (const budget of identifyBudgets) {
      for (;;) {
        const wait = await spent(ctx, budget, clientId);
        if (wait === 0) break;
        await waitOnClock(ctx, Math.min(wait, longestSleepMilliseconds), signal);
      }
    }
    lastAt = ctx.now().getTime();
  };
  return {
    waitForIdentify(_shard, signal) {
      const mine = last.then(() => pass(signal));
      last = mine.catch(() => {});
      return mine;
    },
  };
}

/** Spends one identify; resolves to 0, or to the wait in milliseconds when the budget is used up. */
async function spent(ctx: Ctx, budget: (typeof identifyBudgets)[number], clientId: string): Promise<number> {
  try {
    await spend(ctx, budget, clientId);
    return 0;
  } catch (error) {
    if (error instanceof Refusal && error.code === "rate_limited") {
      const milliseconds = (error.detail.retryAfterSeconds ?? 60) * 1000;
      ctx.log.warn("the bot has identified too often and waits", { milliseconds });
      return milliseconds;
    }
    ctx.log.warn("the bot's IDENTIFY could not be counted", { reason: reasonOf(error) });
    return afterFailureMilliseconds;
  }
}
