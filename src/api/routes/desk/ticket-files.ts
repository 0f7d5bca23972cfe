import { createRoute, z } from "@hono/zod-openapi";
import { ticketFileForStaff } from "@/domain/tickets/reading/own";
import { needsDesk, refused } from "../../answers";
import { deskOnly } from "../../desk-guards";
import { newRouter } from "../../route-guards";
import type { Shop } from "../../shop";
import { ticketFileAnswer } from "../../ticket-file-answer";
import { id } from "@/contract/wire/envelope";

/** /api/desk/tickets/:id/files: what was sent in a ticket. */
export function deskTicketFileRoutes(shop: Shop) {
  return newRouter().openapi(
    createRoute({
      method: "get",
      path: "/tickets/{id}/files/{file}",
      tags: ["desk"],
      summary: "A file that was sent in a ticket",
      security: needsDesk,
      middleware: [deskOnly(shop, "ticket.read")] as const,
      request: { params: z.object({ id, file: id }) },
      responses: {
        200: {
          description: "The file: pictures inline, anything else as an attachment",
          content: { "application/octet-stream": { schema: z.string().meta({ format: "binary" }) } },
        },
        "4XX": refused,
        "5XX": refused,
      },
    }),
    async (c) => {
      const { id: ticketId, file: fileId } = c.req.valid("param");
      const file = await ticketFileForStaff(shop, c.get("desk").actor, { ticketId, fileId });
      return ticketFileAnswer(c, file);
    },
  );
}
