import { createRoute, z } from "@hono/zod-openapi";
import {
  type TicketSummary,
  type TicketTranscript,
  ticketSummary,
  ticketTranscript,
} from "@/contract/tickets";
import { reopenableUntil } from "@/domain/tickets/change";
import type { Ticket } from "@/domain/tickets/queries";
import { topicName } from "@/domain/tickets/topics";
import { ownFile, ownTickets, ownTranscript, type Transcript } from "@/domain/tickets/transcript";
import { transcriptText } from "@/domain/tickets/transcript";
import { answers, needsSession, ok, refused } from "../answers";
import { newRouter, signedInOnly } from "../route-guards";
import type { Shop } from "../shop";

const id = z.string().max(64);

/** /api/tickets: the account's support tickets. */
export function ticketRoutes(shop: Shop) {
  const { ctx } = shop;
  const signedIn = signedInOnly(shop);
  return newRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/",
        tags: ["Tickets"],
        summary: "The account's support tickets",
        security: needsSession,
        middleware: [signedIn] as const,
        responses: answers("Newest first", z.array(ticketSummary)),
      }),
      async (c) => {
        const own = await ownTickets(ctx, c.get("signedIn").account.id);
        return c.json(ok(own.map(summaryOnTheWire)), 200);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/{id}",
        tags: ["Tickets"],
        summary: "A ticket with its messages",
        security: needsSession,
        middleware: [signedIn] as const,
        request: { params: z.object({ id }) },
        responses: answers("Oldest message first", ticketTranscript),
      }),
      async (c) => {
        const found = await ownTranscript(ctx, c.get("signedIn").account.id, c.req.valid("param").id);
        return c.json(ok(transcriptOnTheWire(found, ctx.now())), 200);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/{id}/transcript",
        tags: ["Tickets"],
        summary: "A ticket as a text file",
        security: needsSession,
        middleware: [signedIn] as const,
        request: { params: z.object({ id }) },
        responses: {
          200: {
            description: "Its messages as plain text",
            content: { "text/plain": { schema: z.string() } },
          },
          "4XX": refused,
          "5XX": refused,
        },
      }),
      async (c) => {
        const found = await ownTranscript(ctx, c.get("signedIn").account.id, c.req.valid("param").id);
        return c.text(transcriptText(found, "member"), 200, {
          "content-disposition": `attachment; filename="ticket-${found.ticket.number}.txt"`,
          "cache-control": "private, no-store",
        });
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/{id}/files/{file}",
        tags: ["Tickets"],
        summary: "A file that was sent in a ticket",
        security: needsSession,
        middleware: [signedIn] as const,
        request: { params: z.object({ id, file: id }) },
        responses: {
          200: {
            description: "The file; pictures are sent inline, anything else as an attachment",
            content: { "application/octet-stream": { schema: z.string().meta({ format: "binary" }) } },
          },
          "4XX": refused,
          "5XX": refused,
        },
      }),
      async (c) => {
        const { id: ticketId, file: fileId } = c.req.valid("param");
        const file = await ownFile(shop, c.get("signedIn").account.id, { ticketId, fileId });
        const shown = file.type.startsWith("image/") ? "inline" : "attachment";
        return new Response(file.body, {
          headers: {
            "content-type": file.type,
            "content-disposition": `${shown}; filename*=UTF-8''${encodeURIComponent(file.name).replaceAll("'", "%27")}`,
            "cache-control": "private, no-store",
          },
        });
      },
    );
}

const summaryOnTheWire = (ticket: Ticket): TicketSummary => ({
  id: ticket.id,
  number: ticket.number,
  topic: topicName(ticket.topic),
  state: ticket.state,
  opened_at: ticket.openedAt.toISOString(),
  closed_at: ticket.closedAt?.toISOString() ?? null,
  closed_by: ticket.closedBy,
  close_reason: ticket.closeReason,
  stars: ticket.stars,
});

export const transcriptOnTheWire = ({ ticket, messages }: Transcript, now: Date): TicketTranscript => ({
  ...summaryOnTheWire(ticket),
  question: ticket.question,
  reopen_until: reopenableUntil(ticket, now)?.toISOString() ?? null,
  messages: messages.flatMap(({ author, ...one }) =>
    author === "note"
      ? []
      : {
          id: one.id,
          author: author === "member" && one.authorId !== ticket.discordUserId ? "guest" : author,
          name: one.authorName,
          content: one.content,
          at: one.at.toISOString(),
          edited_at: one.editedAt?.toISOString() ?? null,
          deleted: one.deletedAt !== null,
          before: one.before,
          files: one.files.map(({ id: file, name, size, state, type }) => ({
            id: file,
            name,
            size,
            state: state === "copying" ? "waiting" : state,
            picture: type?.startsWith("image/") ?? false,
          })),
        },
  ),
});
