import { createRoute, z } from "@hono/zod-openapi";
import { pageQuery } from "@/contract/wire/pages";
import { listedTicket, ticketTranscript } from "@/contract/wire/tickets";
import { noteLook } from "@/domain/tickets/writing/answered";
import { lastMessages, type Message, newestMessages } from "@/domain/tickets/reading/messages";
import type { Ticket } from "@/domain/tickets/reading/queries";
import { ownFile, ownTicket, ownTickets } from "@/domain/tickets/reading/own";
import { transcript } from "@/domain/tickets/reading/transcript";
import { needsSession, refused } from "../answers";
import { cut, listAnswers, page, pageAnswers, placeIn, rowsToRead } from "../list-answers";
import { streamed } from "../streamed";
import { newRouter, signedInOnly } from "../route-guards";
import type { Shop } from "../shop";
import { ticketFileAnswer } from "../ticket-file-answer";
import { listedOnTheWire, messageOnTheWire, ticketOnTheWire } from "../tickets-on-the-wire";
import { id } from "@/contract/wire/envelope";

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
        request: { query: pageQuery },
        responses: listAnswers("Newest first", listedTicket),
      }),
      async (c) => {
        const own = await ownTickets(ctx, c.get("signedIn").account.id, {
          after: placeIn(c.req.valid("query")),
          most: rowsToRead,
        });
        const last = await lastMessages(ctx, own);
        return c.json(
          page(own, {
            wire: (ticket: Ticket) => listedOnTheWire(ticket, last.get(ticket.id)),
            place: ({ openedAt, id: ticketId }) => ({ at: openedAt, id: ticketId }),
          }),
          200,
        );
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
        request: { params: z.object({ id }), query: pageQuery },
        responses: pageAnswers("The newest messages, oldest of them first", ticketTranscript),
      }),
      async (c) => {
        const ticket = await ownTicket(ctx, c.get("signedIn").account.id, c.req.valid("param").id);
        const after = placeIn(c.req.valid("query"));
        const at = ctx.now();
        const read = await newestMessages(ctx, ticket.id, { after, most: rowsToRead });
        // read again, because one of the messages may be an answer that arrived since
        const current = await ownTicket(ctx, c.get("signedIn").account.id, ticket.id);
        if (after === null) await noteLook(ctx, ticket, at);
        const wire = (message: Message) => messageOnTheWire(ticket, message, shop);
        const { rows, next } = cut(read, { wire, place: ({ at, id: messageId }) => ({ at, id: messageId }) });
        const data = { ...ticketOnTheWire(current, shop), messages: rows.toReversed() };
        return c.json({ status: 200 as const, data, next }, 200);
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
        const accountId = c.get("signedIn").account.id;
        const ticket = await ownTicket(ctx, accountId, c.req.valid("param").id);
        const headers = {
          "content-type": "text/plain; charset=UTF-8",
          "content-disposition": `attachment; filename="ticket-${ticket.number}.txt"`,
          "cache-control": "private, no-store",
        };
        return streamed(c, { ctx, accountId, headers }, transcript(ctx, ticket, "member")) as never;
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
        return ticketFileAnswer(c, file);
      },
    );
}
