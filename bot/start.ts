import type { DiscordConfig } from "@/core/config";
import type { Ctx } from "@/core/context";
import type { LimitTable } from "@/core/limit-table";
import { keepLease } from "@/core/lease";
import type { Metrics } from "@/core/metrics";
import type { Scheduler } from "@/core/scheduler";
import type { Worker } from "@/core/worker";
import type { Disputes } from "@/domain/notices/notices";
import type { BuildStore } from "@/domain/releases/store";
import { containBot } from "./discord/contain-errors";
import { identifyBudget } from "./discord/identify-budget";
import type { Term } from "./bot-session";

/** `elsewhere`: another process runs the bot. `away`: this one does, but isn't connected to the gateway. */
export type BotState = "elsewhere" | "away" | "up";

export type BotParts = {
  ctx: Ctx;
  config: DiscordConfig;
  publicUrl: URL;
  limits: LimitTable;
  checkout: Disputes;
  /** Where files of tickets are kept. */
  files: BuildStore;
  metrics: Metrics;
  worker: Worker;
  scheduler: Scheduler;
};

export type Bot = {
  state(): BotState;
  stop(): Promise<void>;
};

/**
 * Runs the bot in this process for as long as it holds the lease, so that of several processes one does,
 * and another takes over within 20 seconds of its death. Nothing of what goes wrong in here reaches the
 * shop: this neither throws nor rejects.
 */
export function startBot(parts: BotParts): Bot {
  const { ctx, config } = parts;
  const budget = identifyBudget(ctx, config.clientId);
  const release = containBot(ctx.log);
  let term: Term | null = null;
  const lease = keepLease(ctx, "discord-bot", {
    async gained() {
      // a third of a second goes into loading discord.js: the shop answers before that
      const { startTerm } = await import("./bot-session");
      term = startTerm(parts, budget);
    },
    async lost() {
      const ending = term;
      term = null;
      await ending?.stop();
    },
  });
  return {
    state: () => (term ? term.state() : "elsewhere"),
    async stop() {
      await lease.stop();
      release();
    },
  };
}
