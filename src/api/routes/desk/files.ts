import { createRoute, z } from "@hono/zod-openapi";
import { keysOfJob, resultOfJob } from "@/domain/jobs/for-staff";
import { maxFileBytes } from "@/contract/vocabulary/bounds";
import { deskAnswers } from "@/contract/wire/desk/answers";
import { exportSales } from "@/contract/operations/payments";
import type { Permission } from "@/domain/permissions";
import { id } from "@/contract/wire/envelope";
import { fileQuery } from "@/contract/wire/tickets";
import { theRow } from "@/domain/operations/operation";
import { ticketRows } from "@/domain/staff-queries/tickets";
import { expectTicket } from "@/domain/tickets/reading/queries";
import { uploadFile } from "@/domain/tickets/writing/upload";
import { schemaOf } from "@/contract/wire/fields";
import { ticketFileForStaff } from "@/domain/tickets/reading/own";
import { partBytes, partParams } from "@/contract/wire/desk/releases";
import { takeTurn } from "@/core/limits/turns";
import { takePart, uploadOfPart } from "@/domain/releases/upload/uploads";
import { answers, needsDesk, ok, refused } from "../../answers";
import { salesFile } from "@/domain/staff-queries/sales";
import { deskCall, deskOnly, needsCode, expectDesk, whileAtDesk } from "../../desk-guards";
import { newRouter } from "../../route-guards";
import type { Shop } from "../../shop";
import { streamFile } from "../../streamed";
import { ticketFileAnswer } from "../../ticket-file-answer";
import { bytesOf } from "../../json-body";

const params = z.object({ id });

type JobFile = {
  name: string;
  operation: Permission;
  read: typeof keysOfJob;
  summary: string;
  description?: string;
  holds: string;
};

const jobFiles: JobFile[] = [
  {
    name: "keys.csv",
    operation: "licence.reveal_key",
    read: keysOfJob,
    summary: "Download the whole keys that a job issued, for seven days; the download is logged",
    description: needsCode,
    holds: "`key,days`, one licence a line; `days` is empty for a lifetime",
  },
  {
    name: "result.csv",
    operation: "licence_job.read",
    read: resultOfJob,
    summary: "Download what became of each line that a job imported, for seven days",
    holds: "`line,outcome,why,id`; `id` is that of the licence or account",
  },
];

/** /api/desk/jobs/{id}: the files of a job. */
export function deskJobFileRoutes(shop: Shop) {
  const router = newRouter();
  for (const file of jobFiles) addJobFile(router, shop, file);
  return router;
}

function addJobFile(
  router: ReturnType<typeof newRouter>,
  shop: Shop,
  { name, operation, read, summary, description, holds }: JobFile,
): void {
  const { ctx } = shop;
  router.openapi(
    createRoute({
      method: "get",
      path: `/jobs/{id}/${name}`,
      tags: ["desk"],
      summary,
      ...(description !== undefined && { description }),
      security: needsDesk,
      middleware: [deskOnly(shop, operation)] as const,
      request: { params },
      responses: {
        200: { description: holds, content: { "text/csv": { schema: z.string() } } },
        "4XX": refused,
        "5XX": refused,
      },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const { actor } = c.get("desk");
      const pages = await read(ctx, actor, id);
      const lines = whileAtDesk(c, shop, { operation, pages });
      const headers = {
        "content-type": "text/csv; charset=UTF-8",
        "content-disposition": `attachment; filename="${name}"`,
        "cache-control": "private, no-store",
      };
      return streamFile(c, { ctx, accountId: actor.accountId, headers }, lines);
    },
  );
}

/** /api/desk/sales/{month}/sales.csv: a month for the tax adviser. */
export function deskSalesRoutes(shop: Shop) {
  const { ctx } = shop;
  return newRouter().openapi(
    createRoute({
      method: "get",
      path: "/sales/{month}/sales.csv",
      tags: ["desk"],
      summary: "Download a month for the tax adviser, as a CSV file; the download is logged",
      description: `${needsCode} UTF-8 with a byte order mark.`,
      security: needsDesk,
      middleware: [deskOnly(shop, "sales.export")] as const,
      request: { params: z.object({ month: schemaOf(exportSales.fields.month) }) },
      responses: {
        200: {
          description: "A row for each payment, refund, dispute and fee, amounts as decimals",
          content: { "text/csv": { schema: z.string() } },
        },
        "4XX": refused,
        "5XX": refused,
      },
    }),
    async (c) => {
      const month = String(c.req.valid("param").month);
      const { actor } = c.get("desk");
      const pages = salesFile(ctx, month, { actor });
      const lines = whileAtDesk(c, shop, { operation: "sales.export", pages });
      const headers = {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": `attachment; filename="sales-${month}.csv"`,
      };
      return streamFile(c, { ctx, accountId: actor.accountId, headers }, lines);
    },
  );
}

/** /api/desk/tickets/:id/files: what was sent in a ticket, and what staff send. */
export function deskTicketFileRoutes(shop: Shop) {
  const { ctx } = shop;
  const router = newRouter().openapi(
    createRoute({
      ...deskCall(shop, "ticket.answer"),
      method: "put",
      path: "/tickets/{id}/files",
      summary: "Answer a customer with a file: its bytes as the body",
      request: {
        params,
        query: fileQuery,
        body: {
          required: true,
          content: { "application/octet-stream": { schema: z.string().meta({ format: "binary" }) } },
        },
      },
      responses: answers("Its state now", deskAnswers.ticket),
    }),
    async (c) => {
      const ticket = await expectTicket(ctx, c.req.valid("param").id);
      // one at a time: each is held in memory
      const end = takeTurn(ctx, `upload:${c.get("desk").actor.accountId}`);
      try {
        const bytes = await bytesOf(c, maxFileBytes);
        const { account, actor: staff } = await expectDesk(c, shop);
        await uploadFile(shop, ticket, { account, staff, name: c.req.valid("query").name, bytes });
      } finally {
        end();
      }
      return c.json(ok(theRow(await ticketRows(ctx, [ticket.id]))), 200);
    },
  );
  return router.openapi(
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

/** /api/desk/releases/uploads: the parts of builds. */
export function deskUploadRoutes(shop: Shop) {
  const { ctx, parts } = shop;
  return newRouter().openapi(
    createRoute({
      ...deskCall(shop, "release.publish"),
      method: "put",
      path: "/releases/uploads/{id}/parts/{part}",
      summary: "Send the next part of the builds, with its bytes as the body",
      description:
        "The builds are sent in their order, one after the other as if they were one file. The first part is 0, and every part except the last has `part_bytes` bytes. A part that arrived before changes nothing, so it can be sent again after a lost connection. Each member of staff can send one at a time.",
      request: {
        params: partParams,
        body: {
          required: true,
          content: { "application/octet-stream": { schema: z.string().meta({ format: "binary" }) } },
        },
      },
      responses: answers("How many bytes have arrived", z.object({ received: z.int() })),
    }),
    async (c) => {
      const { actor } = c.get("desk");
      const place = c.req.valid("param");
      await uploadOfPart(ctx, place, actor);
      // each is held in memory
      const end = takeTurn(ctx, `part:${actor.accountId}`);
      try {
        const bytes = await bytesOf(c, partBytes);
        const sender = await expectDesk(c, shop);
        const received = await takePart(ctx, parts, { ...place, bytes }, sender.actor);
        return c.json(ok({ received }), 200);
      } finally {
        end();
      }
    },
  );
}
