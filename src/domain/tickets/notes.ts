import { audit } from "@/core/audit";
import { commit } from "@/core/commit";
import { type Ctx, newId } from "@/core/context";
import type { Ticket } from "./queries";
import { ticketMessages } from "../schema/tickets";

export type Note = { staffId: string; name: string; text: string };

/** Writes something into a ticket that staff read and its member never does. */
export async function addNote(ctx: Ctx, ticket: Ticket, { staffId, name, text }: Note): Promise<void> {
  await commit(ctx.store, [
    ctx.store.db.insert(ticketMessages).values({
      id: newId(),
      ticketId: ticket.id,
      author: "note",
      authorId: staffId,
      authorName: name.slice(0, 100),
      content: text,
      at: ctx.now(),
    }),
    audit(ctx, {
      actor: `discord:${staffId}`,
      action: "ticket.noted",
      subject: ticket.id,
      accountId: ticket.accountId,
    }),
  ]);
}
