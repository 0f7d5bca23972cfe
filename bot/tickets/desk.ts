import {
  type GatewayMessageCreateDispatchData as Created,
  type GatewayMessageUpdateDispatchData as Updated,
  type REST,
} from "discord.js";
import type { DiscordConfig } from "@/core/config";
import { commit } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { hurry } from "@/core/outbox";
import { GuildForbids } from "@/domain/community/guild";
import { saidNoMore, sayOnce } from "@/domain/staff/notices";
import { openTickets, openTicketsOf, ticketOfThread } from "@/domain/tickets/find";
import { loseThread, ticketWork } from "@/domain/tickets/keep";
import { catchUp, hear, hearDeletion, hearEdit } from "@/domain/tickets/listen";
import { keep, keepTopic } from "@/domain/tickets/open";
import { ThreadGone } from "@/domain/tickets/room";
import { passTime } from "@/domain/tickets/time";
import { everySoOften, type Repeated } from "../turns";
import { missingPermissions } from "./doctor";
import { keepPanel, panelId } from "./panel";
import { createTicketRoom, heardIn, isSpoken } from "./room";

const panelEveryMilliseconds = 10 * 60_000;
const timeEveryMilliseconds = 30_000;

export type TicketDesk = ReturnType<typeof startTicketDesk>;

/** What the process that runs the bot does about tickets: the panel, what is said, and the passing of time. */
export function startTicketDesk(parts: { ctx: Ctx; rest: REST; config: DiscordConfig; publicUrl: URL }) {
  const { ctx, rest, config } = parts;
  const room = createTicketRoom(parts);
  const queue = inTurns();

  const panel = everySoOften(ctx, {
    name: "ticket panel",
    every: panelEveryMilliseconds,
    async act() {
      await keepPanel(ctx, rest, config).catch((error: unknown) => {
        if (!(error instanceof GuildForbids)) throw error;
      });
      await complain(ctx, rest, config);
    },
  });
  const turns: Repeated[] = [
    panel,
    everySoOften(ctx, {
      name: "tickets' time",
      every: timeEveryMilliseconds,
      act: () => passTime(ctx, room),
    }),
  ];

  return {
    work: ticketWork(ctx, room),
    /** Connected anew: anything may have been said or deleted meanwhile. */
    async ready() {
      panel.soon();
      for (const { id } of await openTickets(ctx)) {
        await queue(id, () => catchUp(ctx, room, id)).catch((error: unknown) => {
          if (!(error instanceof ThreadGone)) throw error;
        });
        await commit(ctx.store, [keep(ctx, id)]);
      }
      ctx.wake();
    },
    /** Something in the server's rights changed: what was refused may be allowed now. */
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
        await hearEdit(ctx, {
          id: message.id,
          content: message.content,
          at: new Date(message.edited_timestamp),
        });
      }),
    deleted: (channelId: string, ids: string[]) =>
      queue(channelId, async () => {
        await hearDeletion(ctx, ids);
        const known = await panelId(ctx);
        if (known !== null && ids.includes(known)) panel.soon();
      }),
    channelGone: (channelId: string) =>
      queue(channelId, async () => {
        const ticket = await ticketOfThread(ctx, channelId);
        if (ticket) {
          await loseThread(ctx, ticket);
          await commit(ctx.store, [keep(ctx, ticket.id)]);
          ctx.wake();
        }
        if (channelId === config.supportChannelId) panel.soon();
      }),
    async memberLeft(userId: string) {
      const open = await openTicketsOf(ctx, userId);
      if (open.length === 0) return;
      await commit(
        ctx.store,
        open.map(({ id }) => keep(ctx, id)),
      );
      ctx.wake();
    },
    async stop() {
      await Promise.all(turns.map((turn) => turn.stop()));
    },
  };
}

/** Staff hear once of what keeps tickets from being opened. */
async function complain(ctx: Ctx, rest: REST, config: DiscordConfig): Promise<void> {
  const sentence = await missingPermissions(rest, config);
  if (sentence === null) return saidNoMore(ctx, "tickets");
  await sayOnce(ctx, "tickets", { kind: "trouble", sentence });
}

/** Does what concerns one thread in the order in which it came, and others' beside it. */
function inTurns() {
  const last = new Map<string, Promise<void>>();
  return (name: string, act: () => Promise<void>): Promise<void> => {
    const mine = (last.get(name) ?? Promise.resolve()).catch(() => {}).then(act);
    last.set(name, mine);
    return mine.finally(() => {
      if (last.get(name) === mine) last.delete(name);
    });
  };
}
