import { commit } from "@/core/commit";
import { reasonOf } from "@/core/log";
import { bucketMemory } from "@/domain/community/bucket-memory";
import { isDivergent } from "@/domain/community/divergence";
import { standingOf } from "@/domain/community/standing";
import { discordUserChanged } from "@/domain/licences/member-changed";
import { createBuckets } from "@/gateways/discord/buckets";
import { type Happenings, runClient } from "./client";
import { mayReadContent } from "./content-intent";
import { registerCommands } from "./commands/register";
import { startDuties } from "./duties";
import { identifyBudget } from "./identify-budget";
import { createRouter } from "./router";
import type { BotParts, BotState } from "./start";

/** The time during which this process runs the bot. */
export type Term = { state(): BotState; wake(): void; stop(): Promise<void> };

const firstPauseMilliseconds = 1_000;
const longestPauseMilliseconds = 5 * 60_000;
/** A token that Discord refuses is not worth asking about often. */
const refusedPauseMilliseconds = 10 * 60_000;

/** Starts the duties at once and the client beside them, built anew with growing pauses for as long as the term lasts. */
export function startTerm(parts: BotParts): Term {
  const { ctx, config } = parts;
  const buckets = createBuckets(bucketMemory(ctx), "bot");
  const duties = startDuties(parts, buckets);
  const stop = new AbortController();
  let up = false;

  const ask = async (userId: string) => {
    await commit(ctx.store, [discordUserChanged(ctx, userId)]);
    duties.wake();
  };
  const rolesChanged = async () => {
    await duties.examine();
    await duties.tickets.rightsChanged();
  };
  const happenings: Happenings = {
    async ready() {
      up = true;
      duties.survey();
      await duties.examine();
      await registerCommands(duties.rest, config);
      await duties.tickets.ready();
    },
    async memberChanged(userId, roles) {
      const member = { userId, holdsRole: roles.includes(config.premiumRoleId) };
      if (await isDivergent(ctx, member)) await ask(userId);
    },
    async memberLeft(userId) {
      if (await standingOf(ctx, userId)) await ask(userId);
      await duties.tickets.memberLeft(userId);
    },
    rolesChanged,
    async channelChanged(channelId) {
      if ([config.supportChannelId, config.staffChannelId].includes(channelId)) await rolesChanged();
    },
    messageSaid: (message) => duties.tickets.said(message),
    messageEdited: (message) => duties.tickets.edited(message),
    messagesDeleted: (channelId, ids) => duties.tickets.deleted(channelId, ids),
    channelGone: (channelId) => duties.tickets.channelGone(channelId),
    interaction: createRouter(parts, duties),
  };

  const listen = async () => {
    const budget = identifyBudget(ctx, config.clientId);
    let membersIntent = true;
    let pause = firstPauseMilliseconds;
    duties.survey();
    while (!stop.signal.aborted) {
      const contentIntent = await mayReadContent(duties.rest);
      const ending = await runClient(
        { config, buckets, log: ctx.log, budget, happenings, membersIntent, contentIntent },
        stop.signal,
      );
      up = false;
      if (ending.why === "stopped") return;
      ctx.log.warn("the bot's connection ended", { reason: ending.why });
      if (ending.why === "intents" && membersIntent) {
        membersIntent = false;
        continue;
      }
      pause = ending.wasReady ? firstPauseMilliseconds : Math.min(pause * 2, longestPauseMilliseconds);
      await sleep(ending.why === "token" ? refusedPauseMilliseconds : pause, stop.signal);
    }
  };
  const listening = listen().catch((error: unknown) => {
    ctx.log.error("the bot stopped listening", { reason: reasonOf(error) });
  });

  return {
    state: () => (up ? "up" : "away"),
    wake: () => duties.wake(),
    async stop() {
      stop.abort();
      await listening;
      await duties.stop();
      buckets.close();
    },
  };
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  signal.addEventListener("abort", () => resolve(), { once: true });
  return promise.finally(() => clearTimeout(timer));
}
