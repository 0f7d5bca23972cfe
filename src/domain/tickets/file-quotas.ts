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
/** A smaller file counts as this much, so that the number of files is bounded too, and adding them up takes 4 ms at most. */
const leastCounted = mebibyte / 8;
const day = 86_400_000;

/** A file that was sent in a ticket, with who sent it and when. */
export type SentFile = Pick<
  typeof ticketFiles.$inferSelect,
  "id" | "ticketId" | "messageId" | "size" | "url" | "state"
> &
  Pick<typeof ticketMessages.$inferSelect, "authorId" | "at">;

const other = alias(ticketFiles, "other");
const total = sql<number>`coalesce(sum(max(${other.size}, ${leastCounted})), 0)`;
const isCounted = inArray(other.state, ["copying", "kept"]);

/** Whether a file may be kept beside those that are: in its ticket, of its sender's within a day, and in all. */
export function fitsQuotas(ctx: Ctx, file: SentFile): SQL | undefined {
  const { db } = ctx.store;
  const leaves = (kept: unknown, most: number) => sql`${kept} <= ${most - Math.max(file.size, leastCounted)}`;
  const ofTicket = db
    .select({ total })
    .from(other)
    .where(and(eq(other.ticketId, file.ticketId), isCounted));
  // a day by when they were sent: what was missed for days and is heard at once is not one day's
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

/** Why files that members send now are not kept, in sentences for staff; nothing while they are. */
export async function fileComplaints(ctx: Ctx, files: BuildStore): Promise<string[]> {
  const [kept] = await inAll(ctx);
  const isFull = (kept?.total ?? 0) > mostInAll - mostBytes;
  return [
    ...(isFull
      ? ["Files sent in tickets are not kept: those of the last 180 days fill the 4 GiB that they may take."]
      : []),
    ...((await files.hasSpace(mostBytes))
      ? []
      : ["Files sent in tickets wait: the shop's disk is almost full."]),
  ];
}

const inAll = (ctx: Ctx) => ctx.store.db.select({ total }).from(other).where(isCounted);
