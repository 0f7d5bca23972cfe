import { createRoute } from "@hono/zod-openapi";
import { reasonBody } from "@/contract/wire/desk/reason";
import { ticketRow } from "@/contract/wire/desk/rows";
import {
  removedReply,
  replyBody,
  savedReplies,
  savedReply,
  ticketBodies,
} from "@/contract/wire/desk/ticket-operations";
import { ticketRows } from "@/domain/desk/tickets";
import { closeTicket, reopenTicket } from "@/domain/tickets/writing/change";
import { claimTicket, unclaimTicket } from "@/domain/tickets/writing/claims";
import { addNote } from "@/domain/tickets/writing/notes";
import { expectTicket } from "@/domain/tickets/reading/queries";
import { addReply, changeReply, removeReply, repliesForStaff } from "@/domain/tickets/reading/replies";
import { answerOnSite } from "@/domain/tickets/writing/write";
import { answers, jsonBody, needsDesk, ok } from "../../answers";
import { byDesk, deskOnly } from "../../desk-guards";
import { theRow } from "../../desk-row";
import { newRouter } from "../../route-guards";
import type { Shop } from "../../shop";
import { verb, verbRoutes } from "./verbs";

/** /api/desk/tickets/{id}: what staff can write and do in a ticket. */
export function deskTicketVerbs(shop: Shop) {
  const { ctx } = shop;
  const row = async (id: string) => theRow(await ticketRows(ctx, [id]));
  const common = { data: ticketRow };
  return verbRoutes(shop, [
    verb({
      ...common,
      path: "/tickets/{id}/messages",
      summary: "Answer a customer",
      description:
        "The answer appears on the ticket's page, is mailed, and is posted in the thread if Discord is connected.",
      operation: "ticket.answer",
      body: ticketBodies.messages,
      async act({ id, body: { text }, desk: { actor, account } }) {
        await answerOnSite(ctx, await expectTicket(ctx, id), { actor, name: account.username, text });
        return row(id);
      },
    }),
    verb({
      ...common,
      path: "/tickets/{id}/notes",
      summary: "Write a note that only staff see",
      operation: "ticket.note",
      body: ticketBodies.notes,
      async act({ id, body: { text }, desk: { actor: staff, account } }) {
        await addNote(ctx, await expectTicket(ctx, id), { staff, name: account.username, text });
        return row(id);
      },
    }),
    verb({
      ...common,
      path: "/tickets/{id}/claim",
      summary: "Claim a ticket",
      operation: "ticket.claim",
      body: ticketBodies.claim,
      async act({ id, by: { reason }, desk: { actor } }) {
        await claimTicket(ctx, await expectTicket(ctx, id), actor, reason);
        return row(id);
      },
    }),
    verb({
      ...common,
      path: "/tickets/{id}/unclaim",
      summary: "Release your claim of a ticket; owners may release anybody's",
      operation: "ticket.unclaim",
      body: ticketBodies.unclaim,
      async act({ id, by: { reason }, desk: { actor } }) {
        await unclaimTicket(ctx, await expectTicket(ctx, id), actor, reason);
        return row(id);
      },
    }),
    verb({
      ...common,
      path: "/tickets/{id}/close",
      summary: "Close a ticket; the customer sees the reason",
      operation: "ticket.close",
      body: ticketBodies.close,
      async act({ id, by }) {
        await closeTicket(ctx, await expectTicket(ctx, id), by);
        return row(id);
      },
    }),
    verb({
      ...common,
      path: "/tickets/{id}/reopen",
      summary: "Reopen a ticket within a week of closing",
      operation: "ticket.reopen",
      body: ticketBodies.reopen,
      async act({ id, by: { actor, reason } }) {
        await reopenTicket(ctx, await expectTicket(ctx, id), actor, reason);
        return row(id);
      },
    }),
  ]);
}

/** /api/desk/replies: texts that staff often answer with. */
export function deskReplyRoutes(shop: Shop) {
  const { ctx } = shop;
  return newRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/replies",
        tags: ["desk"],
        summary: "The saved replies",
        security: needsDesk,
        middleware: [deskOnly(shop, "reply.read")] as const,
        responses: answers("By name", savedReplies),
      }),
      async (c) => c.json(ok(await repliesForStaff(ctx, c.get("desk").actor)), 200),
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/replies",
        tags: ["desk"],
        summary: "Save a reply",
        security: needsDesk,
        middleware: [deskOnly(shop, "reply.change")] as const,
        request: jsonBody(replyBody),
        responses: answers("The reply", savedReply),
      }),
      async (c) => {
        const { reason, ...texts } = c.req.valid("json");
        return c.json(ok(await addReply(ctx, texts, byDesk(c, reason))), 200);
      },
    )
    .route(
      "/",
      verbRoutes(shop, [
        verb({
          path: "/replies/{id}/change",
          summary: "Change the name and text of a saved reply",
          operation: "reply.change",
          body: replyBody,
          data: savedReply,
          act: ({ id, body: { name, text }, by }) => changeReply(ctx, { id, name, text }, by),
        }),
        verb({
          path: "/replies/{id}/remove",
          summary: "Delete a saved reply",
          operation: "reply.change",
          body: reasonBody,
          data: removedReply,
          async act({ id, by }) {
            await removeReply(ctx, id, by);
            return { id };
          },
        }),
      ]),
    );
}
