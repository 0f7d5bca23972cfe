import { and, eq } from "drizzle-orm";
import { maxTicketNotes } from "@/contract/vocabulary/bounds";
import type { Staff } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, mustNotExist, type Write } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { authorize } from "../../permissions";
import { ticketMessages } from "../../schema/tickets";
import type { Ticket } from "../reading/queries";

export type Note = { staff: Staff; name: string; text: string };

/** How a ticket names a member of staff: by their Discord user, or by their account on the desk. */
export const staffId = (staff: Staff): string =>
  staff.via === "discord" ? staff.discordUserId : staff.accountId;

/** Adds a note that only staff can read. Refuses with `ticket_full` where the ticket has as many as one takes. */
export async function addNote(ctx: Ctx, ticket: Ticket, note: Note): Promise<void> {
  authorize(note.staff, "ticket.note");
  await commit(ctx.store, noteWrites(ctx, ticket, note));
}

export function noteWrites(
  ctx: Ctx,
  { id, accountId }: Pick<Ticket, "id" | "accountId">,
  { staff, name, text }: Note,
): Write[] {
  const { db } = ctx.store;
  const notes = db
    .select({ id: ticketMessages.id })
    .from(ticketMessages)
    .where(and(eq(ticketMessages.ticketId, id), eq(ticketMessages.author, "note")));
  return [
    mustNotExist(notes.limit(1).offset(maxTicketNotes - 1), "ticket_full", { sentence: notesFull }),
    db.insert(ticketMessages).values({
      id: newId(),
      ticketId: id,
      author: "note",
      authorId: staffId(staff),
      authorName: name.slice(0, 100),
      content: text,
      at: ctx.now(),
    }),
    record(ctx, { actor: staff, action: "ticket.noted", subject: id, accountId }),
  ];
}

const notesFull = `This ticket has ${maxTicketNotes} notes, as many as a ticket takes.`;
