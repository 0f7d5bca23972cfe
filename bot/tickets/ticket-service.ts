import {
  type GatewayMessageCreateDispatchData as Created,
  type GatewayMessageUpdateDispatchData as Updated,
  type REST,
} from "discord.js";
import { commit, type Write } from "@/core/commit";
import type { DiscordConfig } from "@/core/config";
import type { Ctx } from "@/core/context";
import { hurry } from "@/core/outbox";
import type { ScheduledJob, Scheduler } from "@/core/scheduler";
import { GuildForbids } from "@/domain/community/guild";
import type { BuildStore } from "@/domain/releases/store";
import { clearReport, reportOnce } from "@/domain/notices/report-once";
import { fileComplaints } from "@/domain/tickets/file-quotas";
import { openTicketsOf, ticketOfCard, ticketOfThread } from "@/domain/tickets/queries";
import { loseThread } from "@/domain/tickets/lose-thread";
import { hear, hearDeletion, hearEdit } from "@/domain/tickets/record-messages";
import { lookAtAll } from "@/domain/tickets/look";
import { keep, keepTopic } from "@/domain/tickets/open";
import { passTime } from "@/domain/tickets/time";
import { ticketWork } from "@/domain/tickets/work";
import { ticketComplaints } from "../server/ticket-checks";
import { heardIn, isSpoken } from "./read-messages";
import { keepPanel, panelPlace } from "./panel";
import { createTicketRoom } from "./channels";
import { inTurns } from "./serial-queue";

const panelEveryMilliseconds = 10 * 60_000;
const timeEveryMilliseconds = 30_000;

type DeskParts = {
  ctx: Ctx;
  rest: REST;
  config: DiscordConfig;
  publicUrl: URL;
  files: BuildStore;
  scheduler: Scheduler;
};

export type TicketDesk = ReturnType<typeof startTicketDesk>;

/** What the process that runs the bot does about tickets: the panel, what is said, and the passing of time. */
export function startTicketDesk(parts: DeskParts) {
  const { ctx, rest, config, files, scheduler } = parts;
  const room = createTicketRoom(parts);
  const queue = inTurns();

  const panel = scheduler.add({
    name: "ticket panel",
    everyMilliseconds: panelEveryMilliseconds,
    async run() {
      await keepPanel(ctx, rest, config).catch((error: unknown) => {
        if (!(error instanceof GuildForbids)) throw error;
      });
      await complain(parts);
    },
  });
  /** Anything may have been said, changed or deleted while the bot was away. */
  const catchUp = scheduler.add({ name: "tickets' catching up", run: () => lookAtAll(ctx) });
  const periodic: ScheduledJob[] = [
    panel,
    catchUp,
    scheduler.add({
      name: "tickets' time",
      everyMilliseconds: timeEveryMilliseconds,
      run: () => passTime(ctx, room),
    }),
  ];
  const keepAll = async (some: { id: string }[]) => {
    if (some.length === 0) return;
    await commit(
      ctx.store,
      some.map(({ id }) => keep(ctx, id)),
    );
    ctx.wake();
  };

  return {
    work: complainingOnRefusal(ticketWork(ctx, room, files), () => panel.soon()),
    /** Connected anew. */
    afresh() {
      panel.afresh();
      catchUp.afresh();
    },
    /** Something in the server's rights or channels changed: what was refused may be allowed now. */
    async rightsChanged() {
      panel.soon();
      await hurry(ctx, [keepTopic]);
      ctx.wake();
    },
    said: (message: Created) =>
      queue(message.channel_id, async () => {
        if (isSpoken(message)) await hear(ctx, heardIn(message.channel_id, message));
      }),
    edited: (message: Updated) =>
      queue(message.channel_id, async () => {
        if (!message.edited_timestamp) return;
        const { id, content } = message;
        await hearEdit(ctx, { id, content, at: new Date(message.edited_timestamp) });
      }),
    deleted: (channelId: string, ids: string[]) =>
      queue(channelId, async () => {
        await hearDeletion(ctx, ids);
        if (channelId === config.staffChannelId) await keepAll(await ticketOfCard(ctx, ids));
        const known = await panelPlace(ctx);
        if (known && ids.includes(known.messageId)) panel.soon();
      }),
    channelGone: (channelId: string) =>
      queue(channelId, async () => {
        const ticket = await ticketOfThread(ctx, channelId);
        if (ticket) await loseThread(ctx, ticket);
        // its threads went with it, and of each we need not be told
        if (channelId === config.supportChannelId) await lookAtAll(ctx);
        panel.soon();
      }),
    async memberLeft(userId: string) {
      await keepAll(await openTicketsOf(ctx, userId));
    },
    async stop() {
      await Promise.all(periodic.map((job) => job.stop()));
    },
  };
}

/** What Discord refuses is for a person to mend, who should hear of it soon. */
function complainingOnRefusal<W extends Record<string, (job: never) => Promise<Write[]>>>(
  work: W,
  refused: () => void,
): W {
  const watched = Object.entries(work).map(([topic, handler]) => [
    topic,
    (job: never) =>
      handler(job).catch((error: unknown) => {
        if (error instanceof GuildForbids) refused();
        throw error;
      }),
  ]);
  return Object.fromEntries(watched) as W;
}

/** Staff hear once of what keeps tickets from being opened, or their files from being kept. */
async function complain({ ctx, rest, config, files }: DeskParts): Promise<void> {
  const complaints = [...(await ticketComplaints(rest, config)), ...(await fileComplaints(ctx, files))];
  if (complaints.length === 0) return clearReport(ctx, "tickets");
  await reportOnce(ctx, "tickets", { kind: "trouble", sentence: complaints.join(" ") });
}
