import type { DiscordConfig } from "@/core/config";
import { type Ctx, newId } from "@/core/context";
import type { LimitTable } from "@/core/limit-table";
import { dropLease, freeLease, holdLease } from "@/core/lease";
import { reasonOf } from "@/core/log";
import type { Metrics } from "@/core/metrics";
import type { JobWatch } from "@/core/job-metrics";
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
  jobs: JobWatch;
};

export type Bot = {
  state(): BotState;
  /** Work was posted. */
  wake(): void;
  stop(): Promise<void>;
};

const leaseMilliseconds = 15_000;
const renewMilliseconds = 4_000;
const askMilliseconds = 3_000;

/**
 * Runs the bot in this process for as long as it holds the lease, so that of several processes one does,
 * and another takes over within 20 seconds of its death. Nothing of what goes wrong in here reaches the
 * shop: this neither throws nor rejects.
 */
export function startBot(parts: BotParts): Bot {
  const { ctx, config } = parts;
  const budget = identifyBudget(ctx, config.clientId);
  const lease = { name: "discord-bot", holder: newId(), milliseconds: leaseMilliseconds };
  const release = containBot(ctx.log);
  let term: Term | null = null;
  let renewedAt = Number.NEGATIVE_INFINITY;
  let stopped = false;
  let timer: Timer | undefined;
  let turn: Promise<void> = Promise.resolve();

  // nobody else can be alive on an embedded database, so what a killed process held is free
  let first = ctx.store.sole;
  const takeTurn = async () => {
    if (first) await freeLease(ctx, lease.name);
    first = false;
    const mine = await holdLease(ctx, lease).catch((error: unknown) => {
      ctx.log.warn("the bot's lease could not be renewed", { reason: reasonOf(error) });
      // what was ours still is until it ends by time
      return performance.now() - renewedAt < leaseMilliseconds - renewMilliseconds ? null : false;
    });
    if (mine) renewedAt = performance.now();
    if (mine && !term && !stopped) term = await begin();
    if (mine === false && term) await endTerm();
  };
  // a third of a second goes into loading discord.js: the shop answers before that
  const begin = async () => {
    const { startTerm } = await import("./bot-session");
    return stopped ? null : startTerm(parts, budget);
  };
  const endTerm = async () => {
    const ending = term;
    term = null;
    await ending?.stop();
  };
  const next = () => {
    if (stopped) return;
    turn = takeTurn()
      .catch((error: unknown) => ctx.log.error("the bot stumbled", { reason: reasonOf(error) }))
      .then(() => {
        if (!stopped) timer = setTimeout(next, term ? renewMilliseconds : askMilliseconds);
      });
  };
  next();

  return {
    state: () => (term ? term.state() : "elsewhere"),
    wake: () => term?.wake(),
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await turn;
      await endTerm();
      await dropLease(ctx, lease).catch(() => {});
      release();
    },
  };
}
