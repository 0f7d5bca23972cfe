import {
  type GatewayMessageCreateDispatchData as Created,
  type GatewayMessageUpdateDispatchData as Updated,
  type REST,
} from "discord.js";
import { minute } from "@/contract/vocabulary/time";
import { commit, type Write } from "@/core/database/commit";
import type { DiscordConfig } from "@/core/settings/config";
import type { Ctx } from "@/core/database/context";
import { retryNow } from "@/core/jobs/outbox";
import type { ScheduledJob, Scheduler } from "@/core/jobs/scheduler";
import { botTopics } from "@/domain/outbox-topics";
import { GuildForbids } from "@/domain/discord/guild";
import { managedRoles } from "@/domain/discord/level-roles";
import { reportEach } from "@/domain/notices/report-once";
import type { BuildStore } from "@/domain/releases/store";
import { inspectAllTickets } from "@/domain/tickets/discord/catch-up";
import { fileComplaints } from "@/domain/tickets/writing/files";
import { openTicketsOf, ticketOfThread, ticketsOfCards } from "@/domain/tickets/reading/queries";
import { recordDeletions, recordEdit, recordMessage } from "@/domain/tickets/discord/record-messages";
import { ticketHandlers } from "@/domain/tickets/discord/sync";
import { forgetLostThread, requestSync } from "@/domain/tickets/reading/thread";
import { runTicketTimers } from "@/domain/tickets/discord/timers";
import { BodyRefused } from "../discord/rest";
import { serialQueue } from "../discord/serial-queue";
import { ticketComplaints } from "../server/ticket-checks";
import type { Posts } from "../discord/posts";
import { createTicketChannels } from "./channels";
import { keepPanel, storedPanel } from "./panel";
import { messageText, isWritten, threadMessage } from "./thread-message";

const panelEveryMilliseconds = 10 * minute;
const timersEveryMilliseconds = 30_000;

type Parts = {
  ctx: Ctx;
  rest: REST;
  posts: Posts;
  config: DiscordConfig;
  publicUrl: URL;
  files: BuildStore;
  scheduler: Scheduler;
};

export type TicketService = ReturnType<typeof startTicketService>;

/** The work of the bot's process for tickets: the panel, the messages in threads, and the timers. */
export function startTicketService(parts: Parts) {
  const { ctx, rest, posts, config, files, scheduler } = parts;
  const channels = createTicketChannels(parts);
  const queue = serialQueue();

  const panel = scheduler.add({
    name: "ticket panel",
    everyMilliseconds: panelEveryMilliseconds,
    async run() {
      await keepPanel(parts).catch((error: unknown) => {
        if (!(error instanceof GuildForbids || error instanceof BodyRefused)) throw error;
      });
      await report(parts);
    },
  });
  /** Members may have written, edited or deleted messages while the bot was not connected. */
  const catchUp = scheduler.add({ name: "ticket catch-up", run: () => inspectAllTickets(ctx) });
  const periodic: ScheduledJob[] = [
    panel,
    catchUp,
    scheduler.add({
      name: "ticket timers",
      everyMilliseconds: timersEveryMilliseconds,
      run: () => runTicketTimers(ctx, channels),
    }),
  ];
  const syncAll = async (some: { id: string }[]) => {
    if (some.length === 0) return;
    await commit(
      ctx.store,
      some.map(({ id }) => requestSync(ctx, id)),
    );
  };

  return {
    handlers: reportingRefusals(ticketHandlers(ctx, channels, files), () => panel.soon()),
    reconnected() {
      panel.afresh();
      catchUp.afresh();
    },
    /** Retries what Discord refused, as the server's permissions or channels have changed. */
    async permissionsChanged() {
      panel.soon();
      await retryNow(ctx, [botTopics.syncTicket]);
    },
    messageCreated: (message: Created) =>
      queue(message.channel_id, async () => {
        if (!isWritten(message)) return;
        const me = message.author.bot ? await posts.me() : null;
        await recordMessage(ctx, threadMessage(message.channel_id, { cdn: rest.cdn, me }, message));
      }),
    messageEdited: (message: Updated) =>
      queue(message.channel_id, async () => {
        if (!message.edited_timestamp) return;
        await recordEdit(ctx, {
          id: message.id,
          content: messageText(message),
          at: new Date(message.edited_timestamp),
        });
      }),
    messagesDeleted: (channelId: string, ids: string[]) =>
      queue(channelId, async () => {
        await recordDeletions(ctx, ids);
        if (channelId === config.staffChannelId) await syncAll(await ticketsOfCards(ctx, ids));
        const known = await storedPanel(ctx);
        if (known && ids.includes(known.messageId)) panel.soon();
      }),
    channelDeleted: (channelId: string) =>
      queue(channelId, async () => {
        const ticket = await ticketOfThread(ctx, channelId);
        if (ticket) await forgetLostThread(ctx, ticket);
        // its threads are gone too, and Discord need not send an event for each
        if (channelId === config.supportChannelId) await inspectAllTickets(ctx);
        panel.soon();
      }),
    async memberLeft(userId: string) {
      await syncAll(await openTicketsOf(ctx, userId));
    },
    async stop() {
      await Promise.all(periodic.map((job) => job.stop()));
    },
  };
}

/** Reports a refusal by Discord to staff soon, because a person has to resolve it. */
function reportingRefusals<H extends Record<string, (job: never) => Promise<Write[]>>>(
  handlers: H,
  refused: () => void,
): H {
  const watched = Object.entries(handlers).map(([topic, handler]) => [
    topic,
    (job: never) =>
      handler(job).catch((error: unknown) => {
        if (error instanceof GuildForbids) refused();
        throw error;
      }),
  ]);
  return Object.fromEntries(watched) as H;
}

/** Notifies staff once of what keeps tickets from being opened, or their files from being kept. */
async function report({ ctx, rest, config, files }: Parts): Promise<void> {
  const roles = await managedRoles(ctx, config.premiumRoleId);
  const complaints = [
    ...(await ticketComplaints(rest, { config, roles })),
    ...(await fileComplaints(ctx, files)),
  ];
  for (const reason of complaints) ctx.log.warn("something keeps tickets from working well", { reason });
  await reportEach(ctx, "tickets", complaints);
}
