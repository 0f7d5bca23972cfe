import { and, eq, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import { day, hour, minute, second } from "@/contract/vocabulary/time";
import { commit, commitIfFirst, mustHaveChanged, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { enqueue } from "@/core/jobs/outbox";
import { accounts } from "../../schema/accounts";
import { tickets } from "../../schema/tickets";
import { answerWaitsEmail } from "../emails/answer-waits";
import type { Ticket } from "../reading/queries";
import { requestSync } from "../reading/thread";

/** At most one mail in this time for a ticket, and of one to a mailbox that nobody has confirmed. */
const [mailPause, unprovenPause] = [hour, day];
/** No mail for this long after the customer's page asked for the ticket. */
const afterView = minute;
/** A page that asks more often is noted once in this time. */
const viewPrecision = second;
const mostMailedAtOnce = 100;

/** Notes that an answer waits in a ticket from the site: for its page, and for a mail unless the customer reads it before. */
export function answeredWrite(ctx: Ctx, { id }: Pick<Ticket, "id">): Write {
  const now = ctx.now();
  return ctx.store.db
    .update(tickets)
    .set({
      // a look noted just before this commit can't have seen the answer
      answeredAt: sql`max(${now.getTime()}, coalesce(${tickets.viewedAt}, 0))`,
      mailDueAt: sql`coalesce(${tickets.mailDueAt}, ${soonestMail(now)})`,
    })
    .where(and(eq(tickets.id, id), eq(tickets.via, "site")));
}

/**
 * Mails an unread answer to a customer whom the bot can't add to the thread again; once for each answer where the
 * ticket is from Discord, since nothing notes there what was read.
 */
export function mailInstead(ctx: Ctx, ticket: Ticket): Write[] {
  const { id, via, accountId, waitingFor, waitingSince, answeredAt } = ticket;
  const isNew = answeredAt === null || answeredAt < waitingSince;
  if (accountId === null || !(via === "site" ? isUnread(ticket) : waitingFor === "member" && isNew))
    return [];
  const now = ctx.now();
  return [
    ctx.store.db
      .update(tickets)
      .set({
        answeredAt: new Date(Math.max(now.getTime(), (answeredAt ?? waitingSince).getTime())),
        mailDueAt: sql`coalesce(${tickets.mailDueAt}, ${soonestMail(now)})`,
      })
      .where(eq(tickets.id, id)),
  ];
}

const soonestMail = (now: Date) =>
  sql`max(${now.getTime()}, coalesce(${tickets.mailedAt} + iif(EXISTS (SELECT 1 FROM ${accounts} WHERE ${accounts.id} = ${tickets.accountId} AND ${accounts.emailConfirmedAt} IS NULL), ${unprovenPause}, ${mailPause}), 0))`;

/** Whether an answer came since the customer's page last asked for the ticket. */
export const isUnread = ({ answeredAt, viewedAt }: Pick<Ticket, "answeredAt" | "viewedAt">): boolean =>
  answeredAt !== null && (viewedAt === null || viewedAt <= answeredAt);

/**
 * Notes that the customer's page asked for the ticket at that moment. Ticket and moment are from before its messages were
 * read, so that a newer answer counts as unread. Redraws the staff card once an answer was read.
 */
export async function noteRead(ctx: Ctx, ticket: Ticket, at: Date): Promise<void> {
  const { id, via, viewedAt, answeredAt } = ticket;
  const isRecent = viewedAt !== null && at.getTime() - viewedAt.getTime() < viewPrecision;
  if (via !== "site" || (isRecent && !isUnread(ticket))) return;
  const isRead = isUnread(ticket) && answeredAt !== null && answeredAt < at;
  const readBefore = or(isNull(tickets.answeredAt), sql`${tickets.answeredAt} < ${at.getTime()}`);
  await commit(ctx.store, [
    ctx.store.db
      .update(tickets)
      .set({ viewedAt: at, mailDueAt: sql`CASE WHEN ${readBefore} THEN NULL ELSE ${tickets.mailDueAt} END` })
      .where(
        and(
          eq(tickets.id, id),
          sql`${tickets.answeredAt} IS ${answeredAt?.getTime() ?? null}`,
          or(isNull(tickets.viewedAt), sql`${tickets.viewedAt} < ${at.getTime()}`),
        ),
      ),
    ...(isRead ? [requestSync(ctx, id)] : []),
  ]);
}

/** Mails the customers for whom an answer waits on the site. */
export async function mailAnswers(ctx: Ctx): Promise<void> {
  const now = ctx.now();
  const due = await ctx.store.db
    .select()
    .from(tickets)
    .where(and(isNotNull(tickets.mailDueAt), lte(tickets.mailDueAt, now)))
    .orderBy(tickets.mailDueAt)
    .limit(mostMailedAtOnce);
  for (const ticket of due) await mailAnswer(ctx, ticket);
}

/** Waits on while the customer looks at the page; sends nothing to a member of the thread, or for what was read. */
async function mailAnswer(ctx: Ctx, ticket: Ticket): Promise<void> {
  const { id, accountId, inThread, viewedAt, mailDueAt } = ticket;
  const now = ctx.now();
  const looksUntil = new Date((viewedAt?.getTime() ?? 0) + afterView + viewPrecision);
  const isWanted = isUnread(ticket) && accountId !== null && !inThread;
  const isMailed = isWanted && looksUntil <= now;
  const next = isMailed ? { mailDueAt: null, mailedAt: now } : { mailDueAt: isWanted ? looksUntil : null };
  await commitIfFirst(ctx.store, [
    ctx.store.db
      .update(tickets)
      .set(next)
      .where(and(eq(tickets.id, id), sql`${tickets.mailDueAt} = ${mailDueAt?.getTime()}`)),
    mustHaveChanged("conflict"),
    ...(isMailed ? [enqueue(ctx, { topic: answerWaitsEmail, subject: id })] : []),
  ]);
}
