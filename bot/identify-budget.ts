import type { IIdentifyThrottler } from "discord.js";
import type { Ctx } from "@/core/context";
import { spend } from "@/core/limits";
import { Refusal } from "@/core/refusal";
import { identifyBudgets } from "@/domain/community/identify-budgets";

/** Discord's own pace for one shard. */
const paceMilliseconds = 5_500;
const longestSleepMilliseconds = 60_000;

/** Counts identifies in the database, over restarts and processes; has one wait where the budget has no room. */
export type IdentifyBudget = IIdentifyThrottler;

export function identifyBudget(ctx: Ctx, clientId: string): IdentifyBudget {
  let last = Number.NEGATIVE_INFINITY;
  return {
    async waitForIdentify(_shard, signal) {
      await pause(last + paceMilliseconds - performance.now(), signal);
      for (const budget of identifyBudgets) {
        for (;;) {
          const wait = await spent(ctx, budget, clientId);
          if (wait === 0) break;
          ctx.log.warn("the bot has identified too often and waits", { milliseconds: wait });
          await pause(Math.min(wait, longestSleepMilliseconds), signal);
        }
      }
      last = performance.now();
    },
  };
}

/** 0 when there was room, else how long to wait. */
async function spent(ctx: Ctx, budget: (typeof identifyBudgets)[number], clientId: string): Promise<number> {
  try {
    await spend(ctx, budget, clientId);
    return 0;
  } catch (error) {
    if (error instanceof Refusal && error.code === "rate_limited") {
      return (error.detail.retryAfterSeconds ?? 60) * 1000;
    }
    throw error;
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds <= 0) return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  const cut = () => reject(new Error("the connection closed meanwhile"));
  signal.addEventListener("abort", cut, { once: true });
  await promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", cut);
  });
}
