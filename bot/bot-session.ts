import { minute } from "@/contract/vocabulary/time";
import { commit } from "@/core/database/commit";
import { reasonOf } from "@/core/log/log";
import { factsOfUser } from "@/domain/discord/links";
import { isDivergent } from "@/domain/discord/reconcile-members";
import { queueReconciliationOfUser } from "@/domain/licences/changes/entitlement-changed";
import { type BotParts, startBotServices } from "./bot-services";
import { type GatewayEvents, type RunningClient, startClient } from "./discord/client";
import { waitOnClock } from "./discord/elapsed";
import type { IdentifyBudget } from "./discord/identify-budget";
import { reconnectPace } from "./discord/reconnect";
import { watchReachability } from "./discord/reachability";
import { closeRest, createRest } from "./discord/rest";
import { createRouter } from "./router";
import { mayReadContent } from "./server/ticket-checks";

/** The bot while this process runs it: connected to the gateway (`up`) or not (`away`). */
export type BotSession = { state(): "away" | "up"; stop(how: { atOnce: boolean }): Promise<void> };

/** Discord rejects a token or intents until somebody changes them: retry rarely. */
const refusedPauseMilliseconds = 10 * minute;
/** How often a bot without the message content intent checks whether it has been granted. */
const contentEveryMilliseconds = minute;

/**
 * Starts the services and the gateway client; when the client ends, another follows after a growing pause.
 * While this process may not act, as after it was paused, sends nothing to Discord and handles no event.
 */
export function startBotSession(parts: BotParts, budget: IdentifyBudget, mayAct: () => boolean): BotSession {
  const { ctx, config, publicUrl, limits, metrics } = parts;
  const ended = new AbortController();
  const reachable = watchReachability();
  const rest = createRest(config, ctx.log, { ended: ended.signal, mayAct, reachable });
  const services = startBotServices(parts, rest, reachable);
  const { guild, tickets, reconcile, reconcileMembers, examine } = services;
  const stop = new AbortController();
  const pace = reconnectPace(() => ctx.now().getTime());
  let client: RunningClient | null = null;

  const requestReconciliation = async (userId: string) => {
    await commit(ctx.store, [queueReconciliationOfUser(ctx, userId)]);
  };
  const rolesChanged = async () => {
    await examine();
    await tickets.permissionsChanged();
  };
  const events: GatewayEvents = {
    ready: async () => services.reconnected(),
    async memberChanged(userId, roles) {
      if (await isDivergent(ctx, guild, { userId, roleIds: roles })) await requestReconciliation(userId);
    },
    async memberLeft(userId) {
      const { link, given } = await factsOfUser(ctx, userId);
      if (link || given.length > 0) await requestReconciliation(userId);
      await tickets.memberLeft(userId);
    },
    rolesChanged,
    async channelChanged(channelId) {
      const { supportChannelId, staffChannelId, newsChannelId } = config;
      if ([supportChannelId, staffChannelId, newsChannelId].includes(channelId)) await rolesChanged();
    },
    messageCreated: tickets.messageCreated,
    messageEdited: tickets.messageEdited,
    messagesDeleted: tickets.messagesDeleted,
    channelDeleted: tickets.channelDeleted,
    interaction: createRouter(
      { ctx, config, publicUrl, limits, reconcile, reconcileMembers, examine },
      metrics,
    ),
  };

  const awaitContent = (granted: () => void) =>
    parts.scheduler.add({
      name: "message content",
      everyMilliseconds: contentEveryMilliseconds,
      run: async () => {
        if (await mayReadContent(rest)) granted();
      },
    });

  const listen = async () => {
    let membersIntent = true;
    reconcileMembers();
    while (!stop.signal.aborted) {
      // if Discord doesn't answer, assume that it is granted
      const contentIntent = await mayReadContent(rest).catch(() => true);
      const granted = new AbortController();
      const recheck = contentIntent ? null : awaitContent(() => granted.abort());
      const wanted = { ctx, config, rest, budget, pace, events, mayAct, membersIntent, contentIntent };
      client = startClient(wanted, AbortSignal.any([stop.signal, granted.signal]));
      const ending = await client.ended;
      client = null;
      await recheck?.stop();
      if (stop.signal.aborted) return;
      if (granted.signal.aborted) continue;
      ctx.log.warn("the bot's connection ended", { reason: ending });
      if (ending === "intents" && membersIntent) {
        membersIntent = false;
        continue;
      }
      const milliseconds = ending === "lost" ? pace.next() : refusedPauseMilliseconds;
      await waitOnClock(ctx, milliseconds, stop.signal).catch(() => {});
    }
  };
  const listening = listen().catch((error: unknown) => {
    ctx.log.error("the bot stopped listening", { reason: reasonOf(error) });
  });

  return {
    state: () => (client?.isUp() ? "up" : "away"),
    async stop({ atOnce }) {
      // another process may run the bot by now, so stop this one's calls
      if (atOnce) ended.abort();
      stop.abort();
      await listening;
      await services.stop();
      ended.abort();
      closeRest(rest);
    },
  };
}
