import { and, eq, gt, inArray, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Ctx } from "@/core/context";
import type { BuildStore } from "../releases/store";
import { ticketFiles, ticketMessages } from "../schema/tickets";

const mebibyte = 1024 * 1024;
export const mostBytes = 8 * mebibyte;
const mostOfATicket = 64 * mebibyte;
const mostOfAPersonADay = 64 * mebibyte;
const mostInAll = 4096 * mebibyte;
/** Smaller files count as this much, which bounds their number too, so that adding them up takes 4 ms at most. */
const leastCounted = mebibyte / 8;
const day = 86_400_000;

/** An attachment with its sender and time. */
export type SentFile = Pick<
  typeof ticketFiles.$inferSelect,
  "id" | "ticketId" | "messageId" | "size" | "url" | "state"
> &
  Pick<typeof ticketMessages.$inferSelect, "authorId" | "at">;

const other = alias(ticketFiles, "other");
const total = sql<number>`coalesce(sum(max(${other.size}, ${leastCounted})), 0)`;
const isCounted = inArray(other.state, ["copying", "kept"]);

/** Whether a file fits the quotas of its ticket, of its sender within a day, and of all tickets. */
export function fitsQuotas(ctx: Ctx, file: SentFile): SQL | undefined {
  const { db } = ctx.store;
  const leaves = (kept: unknown, most: number) => sql`${kept} <= ${most - Math.max(file.size, leastCounted)}`;
  const ofTicket = db
    .select({ total })
    .from(other)
    .where(and(eq(other.ticketId, file.ticketId), isCounted));
  // by when the files were sent: what was missed for days and is read at once does not count as one day
  const ofPerson = db
    .select({ total })
    .from(ticketMessages)
    .innerJoin(other, eq(other.messageId, ticketMessages.id))
    .where(
      and(
        eq(ticketMessages.authorId, file.authorId),
        gt(ticketMessages.at, new Date(file.at.getTime() - day)),
        isCounted,
      ),
    );
  return and(
    leaves(ofTicket, mostOfATicket),
    leaves(ofPerson, mostOfAPersonADay),
    leaves(inAll(ctx), mostInAll),
  );
}

/** Sentences for staff about why attachments are not being kept; none while they are. */
export async function fileComplaints(ctx: Ctx, files: BuildStore): Promise<string[]> {
  const [kept] = await inAll(ctx);
  const isFull = (kept?.total ?? 0) > mostInAll - mostBytes;
  return [
    ...(isFull
      ? ["Files sent in tickets are not kept: those of the last 180 days fill the 4 GiB they may use."]
      : []),
    ...((await files.hasSpace(mostBytes))
      ? []
      : ["Files sent in tickets are not copied yet: the shop's disk is almost full."]),
  ];
}

const inAll = (ctx: Ctx) => ctx.store.db.select({ total }).from(other).where(isCounted);
