import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { maxFileBytes } from "@/contract/vocabulary/bounds";
import { pageQuery } from "@/contract/wire/pages";
import {
  answerTime,
  fileQuery,
  listedTicket,
  messageBody,
  onceHeader,
  ratingBody,
  ticketBody,
  ticketDetails,
  ticketTranscript,
} from "@/contract/wire/tickets";
import { noteRead } from "@/domain/tickets/writing/answered";
import { lastMessages, type Message, newestMessages } from "@/domain/tickets/reading/messages";
import type { Ticket } from "@/domain/tickets/reading/queries";
import { ownFile, ownTicket, ownTickets } from "@/domain/tickets/reading/own";
import { usualWaitReader } from "@/domain/tickets/reading/usual-wait";
import { transcript } from "@/domain/tickets/reading/transcript";
import { id } from "@/contract/wire/envelope";
import { customer } from "@/core/base/actor";
import { newId } from "@/core/database/context";
import { spendUnlessRefused } from "@/core/limits/limits";
import { takeTurn } from "@/core/limits/turns";
import { closeTicket, rateTicket, reopenTicket } from "@/domain/tickets/writing/change";
import { askOnSite } from "@/domain/tickets/writing/open";
import { idempotentId, writeOnce } from "@/domain/tickets/reading/once";
import { uploadFile } from "@/domain/tickets/writing/upload";
import { writeOnSite } from "@/domain/tickets/writing/write";
import { answers, jsonBody, ok, refused } from "../answers";
import { bytesOf } from "../json-body";
import { cutPage, listAnswers, pageAnswer, pageAnswers, placeIn, rowsToRead } from "../list-answers";
import { streamFile } from "../streamed";
import { newRouter, signedInCall } from "../route-guards";
import type { Shop } from "../shop";
import { ticketFileAnswer } from "../ticket-file-answer";
import { listedOnTheWire, messageOnTheWire, ticketOnTheWire } from "../tickets-on-the-wire";

/** /api/tickets: the account's support tickets. */
export function ticketRoutes(shop: Shop) {
  const { ctx } = shop;
  const signedIn = signedInCall(shop);
  const readUsualWait = usualWaitReader(ctx);
  return newRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/",
        tags: ["Tickets"],
        summary: "The account's support tickets",
        ...signedIn,
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
          pageAnswer(own, {
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
        path: "/answer-time",
        tags: ["Tickets"],
        summary: "How soon support usually answers",
        ...signedIn,
        responses: answers("Counted at most once an hour", answerTime),
      }),
      async (c) => c.json(ok({ hours: await readUsualWait() }), 200),
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/{id}",
        tags: ["Tickets"],
        summary: "A ticket with its messages",
        ...signedIn,
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
        if (after === null) await noteRead(ctx, ticket, at);
        const wire = (message: Message) => messageOnTheWire(ticket, message, shop);
        const { rows, next } = cutPage(read, {
          wire,
          place: ({ at, id: messageId }) => ({ at, id: messageId }),
        });
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
        ...signedIn,
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
        return streamFile(c, { ctx, accountId, headers }, transcript(ctx, ticket, "member")) as never;
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/{id}/files/{file}",
        tags: ["Tickets"],
        summary: "A file that was sent in a ticket",
        ...signedIn,
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

const params = z.object({ id });

/** /api/tickets: what the account does in its support tickets. */
export function ticketWritingRoutes(shop: Shop) {
  const { ctx, limits } = shop;
  const signedIn = signedInCall(shop);
  const change = { method: "post" as const, tags: ["Tickets"], ...signedIn };

  const counted = <T>(
    limit: "ticket" | "ticket-message",
    { id }: { id: string },
    attempt: () => Promise<T>,
  ) => spendUnlessRefused(ctx, limits[limit], id, attempt);

  /** The ticket as it is now; 202 if support in Discord sees the change only later. */
  const answer = async (c: Context, accountId: string, id: string) => {
    const data = ticketOnTheWire(await ownTicket(ctx, accountId, id), shop);
    if (shop.botState() === "away") return c.json({ status: 202 as const, data }, 202);
    return c.json({ status: 200 as const, data }, 200);
  };

  return newRouter()
    .openapi(
      createRoute({
        ...change,
        path: "/",
        summary: "Open a ticket",
        request: { headers: onceHeader, ...jsonBody(ticketBody) },
        responses: storedAnswer("The new ticket"),
      }),
      async (c) => {
        const { account } = c.get("signedIn");
        const messageId = messageIdOf(account, c.req.valid("header"));
        const id = await writeOnce(ctx, messageId, () =>
          counted("ticket-message", account, () =>
            askOnSite(ctx, { account, messageId, ...c.req.valid("json") }),
          ),
        );
        return answer(c, account.id, id);
      },
    )
    .openapi(
      createRoute({
        ...change,
        path: "/{id}/messages",
        summary: "Write in a ticket",
        request: { params, headers: onceHeader, ...jsonBody(messageBody) },
        responses: storedAnswer("The ticket"),
      }),
      async (c) => {
        const { account } = c.get("signedIn");
        const ticket = await ownTicket(ctx, account.id, c.req.valid("param").id);
        const id = messageIdOf(account, c.req.valid("header"));
        await writeOnce(ctx, id, () =>
          counted("ticket-message", account, () =>
            writeOnSite(ctx, ticket, { id, account, ...c.req.valid("json") }),
          ),
        );
        return answer(c, account.id, ticket.id);
      },
    )
    .openapi(
      createRoute({
        ...change,
        path: "/{id}/files",
        summary: "Send a file in a ticket: its bytes as the body",
        request: {
          params,
          query: fileQuery,
          body: {
            required: true,
            content: { "application/octet-stream": { schema: z.string().meta({ format: "binary" }) } },
          },
        },
        responses: storedAnswer("The ticket"),
      }),
      async (c) => {
        const { account } = c.get("signedIn");
        const ticket = await ownTicket(ctx, account.id, c.req.valid("param").id);
        // one at a time: each is held in memory
        const end = takeTurn(ctx, `upload:${account.id}`);
        try {
          await counted("ticket-message", account, async () => {
            const bytes = await bytesOf(c, maxFileBytes);
            await uploadFile(shop, ticket, { account, name: c.req.valid("query").name, bytes });
          });
        } finally {
          end();
        }
        return answer(c, account.id, ticket.id);
      },
    )
    .openapi(
      createRoute({
        ...change,
        path: "/{id}/close",
        summary: "Close a ticket",
        request: { params },
        responses: storedAnswer("The ticket"),
      }),
      async (c) => {
        const { account } = c.get("signedIn");
        const ticket = await ownTicket(ctx, account.id, c.req.valid("param").id);
        await closeTicket(ctx, ticket, { actor: customer(account.id), reason: null });
        return answer(c, account.id, ticket.id);
      },
    )
    .openapi(
      createRoute({
        ...change,
        path: "/{id}/reopen",
        summary: "Reopen a ticket within a week of closing",
        request: { params },
        responses: storedAnswer("The ticket"),
      }),
      async (c) => {
        const { account } = c.get("signedIn");
        const ticket = await ownTicket(ctx, account.id, c.req.valid("param").id);
        await counted("ticket", account, () => reopenTicket(ctx, ticket, customer(account.id)));
        return answer(c, account.id, ticket.id);
      },
    )
    .openapi(
      createRoute({
        ...change,
        path: "/{id}/rating",
        summary: "Rate a closed ticket; replaces an earlier rating",
        request: { params, ...jsonBody(ratingBody) },
        responses: storedAnswer("The ticket"),
      }),
      async (c) => {
        const { account } = c.get("signedIn");
        const ticket = await ownTicket(ctx, account.id, c.req.valid("param").id);
        await counted("ticket", account, () =>
          rateTicket(ctx, ticket, c.req.valid("json"), customer(account.id)),
        );
        return answer(c, account.id, ticket.id);
      },
    );
}

const messageIdOf = (account: { id: string }, { "idempotency-key": key }: z.infer<typeof onceHeader>) =>
  key === undefined ? newId() : idempotentId(account.id, key);

const ticketAnswer = <S extends 200 | 202>(status: S) => ({
  "application/json": { schema: z.object({ status: z.literal(status), data: ticketDetails }) },
});

const storedAnswer = (description: string) => ({
  200: { description, content: ticketAnswer(200) },
  202: { description: `${description}; support sees it once Discord is back`, content: ticketAnswer(202) },
  "4XX": refused,
  "5XX": refused,
});
