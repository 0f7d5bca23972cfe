import { createRoute } from "@hono/zod-openapi";
import { blockBody, blockParams, blockRow, type BlockRow, blocksQuery } from "@/contract/wire/desk/blocks";
import { pageOf } from "@/contract/wire/desk/pages";
import { reasonBody } from "@/contract/wire/desk/reason";
import { addTypedBlock } from "@/domain/customers/block-computer";
import { type Block, blocksShown, removeBlock } from "@/domain/blocks/staff-actions";
import { answers, jsonBody, ok } from "../../answers";
import { asked, deskCall, deskPage, needsCode } from "../../desk-call";
import { byDesk } from "../../desk-guards";
import { newRouter } from "../../route-guards";
import type { Shop } from "../../shop";

/** /api/desk/blocks: devices, emails, networks and Discord users that are shut out. */
export function deskBlockRoutes(shop: Shop) {
  const { ctx } = shop;
  return newRouter()
    .openapi(
      createRoute({
        ...deskCall(shop, "block.read"),
        method: "get",
        path: "/blocks",
        summary: "Everything that is blocked, newest first",
        request: { query: blocksQuery },
        responses: answers("A page of the blocks", pageOf(blockRow)),
      }),
      async (c) => {
        const query = c.req.valid("query");
        const { kind } = query;
        const rows = await blocksShown(ctx, { kind, ...asked(query) }, c.get("desk").actor);
        return c.json(ok(deskPage(rows, query, { wire, place })), 200);
      },
    )
    .openapi(
      createRoute({
        ...deskCall(shop, "block.add"),
        method: "post",
        path: "/blocks",
        summary: "Block a device, an email, a network or a Discord user",
        description: needsCode,
        request: jsonBody(blockBody),
        responses: answers("The block", blockRow),
      }),
      async (c) => {
        const { reason, ...typed } = c.req.valid("json");
        return c.json(ok(wire(await addTypedBlock(ctx, typed, byDesk(c, reason)))), 200);
      },
    )
    .openapi(
      createRoute({
        ...deskCall(shop, "block.remove"),
        method: "post",
        path: "/blocks/{id}/remove",
        summary: "Lift a block",
        description: needsCode,
        request: { params: blockParams, ...jsonBody(reasonBody) },
        responses: answers("The block that was lifted", blockRow),
      }),
      async (c) => {
        const by = byDesk(c, c.req.valid("json").reason);
        return c.json(ok(wire(await removeBlock(ctx, c.req.valid("param").id, by))), 200);
      },
    );
}

const place = ({ id, createdAt }: Block) => ({ id, at: createdAt });

const wire = ({ id, kind, label, reason, createdAt }: Block): BlockRow => ({
  id,
  kind,
  label,
  reason,
  created_at: createdAt.toISOString(),
});
