import { and, eq, isNull, lt, lte } from "drizzle-orm";
import { commit, mustHaveChanged } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { Refusal } from "@/core/refusal";
import { closeTicket } from "./change";
import { GuildForbids } from "../community/guild";
import { catchUp } from "./catch-up";
import { forgetting } from "./forget";
import { type TicketRoom, ThreadGone } from "./ticket-channels";
import { say } from "./say";
import { tickets } from "../schema/tickets";

const day = 86_400_000;
/** Of the member's silence. */
const remindAfter = day;
const closeAfter = 3 * day;
/** After a ticket's end. */
const keepFor = 180 * day;
const mostErasedAtOnce = 100;

const reminder =
  "Are you still there? Nobody heard from you since our answer. This ticket closes by itself in two days; a word from you keeps it open.";

/** Reminds of answers that nobody answered, closes what stays silent, erases what is old. */
export async function passTime(ctx: Ctx, room: TicketRoom): Promise<void> {
  await eraseOld(ctx);
  await remind(ctx, room);
  await closeSilent(ctx, room);
}

async function remind(ctx: Ctx, room: TicketRoom): Promise<void> {
  const silent = and(
    isOpenFor("member"),
    isNull(tickets.remindedAt),
    lte(tickets.waitingSince, ago(ctx, remindAfter)),
  );
  for (const { id } of await ctx.store.db.select({ id: tickets.id }).from(tickets).where(silent)) {
    if (!(await canListen(ctx, room, id))) continue;
    await unlessMet(
      commit(ctx.store, [
        ctx.store.db
          .update(tickets)
          .set({ remindedAt: ctx.now() })
          .where(and(eq(tickets.id, id), silent)),
        mustHaveChanged("conflict"),
        say(ctx, id, { what: "reminder", text: reminder }),
      ]),
    );
    ctx.wake();
  }
}

/** Never sooner than the reminder said, however long the shop was away. */
async function closeSilent(ctx: Ctx, room: TicketRoom): Promise<void> {
  const silent = and(
    isOpenFor("member"),
    lte(tickets.waitingSince, ago(ctx, closeAfter)),
    lte(tickets.remindedAt, ago(ctx, closeAfter - remindAfter)),
  );
  for (const { id } of await ctx.store.db.select({ id: tickets.id }).from(tickets).where(silent)) {
    if (!(await canListen(ctx, room, id))) continue;
    const [still] = await ctx.store.db
      .select()
      .from(tickets)
      .where(and(eq(tickets.id, id), silent));
    const reason = "Nobody answered for three days.";
    if (still) await unlessMet(closeTicket(ctx, still, { by: "shop", actor: "shop", reason }));
  }
}

/** The member may have answered while the gateway was away; where that can't be known, nothing is held against them. */
const canListen = (ctx: Ctx, room: TicketRoom, id: string): Promise<boolean> =>
  catchUp(ctx, room, id).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ThreadGone) return true;
      if (error instanceof GuildForbids) return false;
      throw error;
    },
  );

/** Some at a time; the next turn takes the next. */
async function eraseOld(ctx: Ctx): Promise<void> {
  const old = and(eq(tickets.state, "closed"), lt(tickets.closedAt, ago(ctx, keepFor)));
  const writes = await forgetting(ctx, old, mostErasedAtOnce);
  if (writes.length === 0) return;
  await commit(ctx.store, writes);
  ctx.wake();
}

const isOpenFor = (who: "member" | "staff") => and(eq(tickets.state, "open"), eq(tickets.waitingFor, who));
const ago = (ctx: Ctx, milliseconds: number) => new Date(ctx.now().getTime() - milliseconds);

/** Somebody spoke or closed at that moment. */
const unlessMet = (doing: Promise<void>) =>
  doing.catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
  });
