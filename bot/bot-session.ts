import { commit } from "@/core/commit";
import { reasonOf } from "@/core/log";
import { isDivergent } from "@/domain/community/divergence";
import { linkStateOf } from "@/domain/community/links";
import { discordUserChanged } from "@/domain/licences/member-changed";
import { type Happenings, type RunningClient, startClient } from "./discord/client";
import { mayReadContent } from "./discord/content-intent";
import { startDuties } from "./bot-services";
import type { IdentifyBudget } from "./discord/identify-budget";
import { reconnectPace } from "./discord/reconnect";
import { closeRest, createRest } from "./discord/rest";
import { createRouter } from "./router";
import type { BotParts, BotState } from "./start";
import { elapsed } from "./discord/elapsed";

/** The time during which this process runs the bot. */
export type Term = { state(): BotState; stop(): Promise<void> };

/** A token or intents that Discord refuses are not worth asking about often. */
const refusedPauseMilliseconds = 10 * 60_000;

/** Starts the duties at once and the client beside them, built anew with growing pauses for as long as the term lasts. */
export function startTerm(parts: BotParts, budget: IdentifyBudget): Term {
  const { ctx, config } = parts;
  const ended = new AbortController();
  const rest = createRest(config, ctx.log, ended.signal);
  const duties = startDuties(parts, rest);
  const stop = new AbortController();
  const pace = reconnectPace(() => ctx.now().getTime());
  let client: RunningClient | null = null;

  const ask = async (userId: string) => {
    await commit(ctx.store, [discordUserChanged(ctx, userId)]);
    ctx.wake();
  };
  const rolesChanged = async () => {
    await duties.examine();
    await duties.tickets.rightsChanged();
  };
  const happenings: Happenings = {
    ready: async () => duties.afresh(),
    async memberChanged(userId, roles) {
      const member = { userId, holdsRole: roles.includes(config.premiumRoleId) };
      if (await isDivergent(ctx, member)) await ask(userId);
    },
    async memberLeft(userId) {
      if (await linkStateOf(ctx, userId)) await ask(userId);
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
    let membersIntent = true;
    duties.survey();
    while (!stop.signal.aborted) {
      const contentIntent = await mayReadContent(duties.rest);
      client = startClient(
        { ctx, config, rest, budget, pace, happenings, membersIntent, contentIntent },
        stop.signal,
      );
      const ending = await client.ended;
      client = null;
      if (ending === "stopped") return;
      ctx.log.warn("the bot's connection ended", { reason: ending });
      if (ending === "intents" && membersIntent) {
        membersIntent = false;
        continue;
      }
      const milliseconds = ending === "lost" ? pace.next() : refusedPauseMilliseconds;
      await elapsed(ctx, milliseconds, stop.signal).catch(() => {});
    }
  };
  const listening = listen().catch((error: unknown) => {
    ctx.log.error("the bot stopped listening", { reason: reasonOf(error) });
  });

  return {
    state: () => (client?.isUp() ? "up" : "away"),
    async stop() {
      stop.abort();
      await listening;
      await duties.stop();
      ended.abort();
      closeRest(rest);
    },
  };
}
