import { createRoute } from "@hono/zod-openapi";
import { type DeskFilters, type DeskList, deskRows, listQuery } from "@/contract/wire/desk/lists";
import { pageOf } from "@/contract/wire/desk/pages";
import { listForDesk } from "@/domain/staff-queries/lists";
import { placeAfter, sealedCursor } from "@/domain/operations/list";
import type { Actor } from "@/core/base/actor";
import { answers, needsDesk, ok } from "../../answers";
import { deskOnly } from "../../desk-guards";
import { newRouter } from "../../route-guards";
import type { Shop } from "../../shop";

/** /api/desk: the lists, each with its filters. */
export function deskListRoutes(shop: Shop) {
  const route = <L extends DeskList>(list: L, summary: string, order = "Newest first.") =>
    createRoute({
      method: "get",
      path: `/${list}` as const,
      tags: ["desk"],
      summary,
      description: `${order} Unknown parameters and values are refused.`,
      security: needsDesk,
      middleware: deskOnly(shop, "desk.read"),
      request: { query: listQuery(list) },
      responses: answers("A page of rows", pageOf(deskRows[list])),
    });
  const page = pageReader(shop);
  return newRouter()
    .openapi(route("customers", "Accounts"), async (c) =>
      c.json(ok(await page("customers", c.req.valid("query"), c.get("desk").actor)), 200),
    )
    .openapi(route("payments", "Payments, open checkouts too"), async (c) =>
      c.json(ok(await page("payments", c.req.valid("query"), c.get("desk").actor)), 200),
    )
    .openapi(route("licences", "Licences, their keys masked"), async (c) =>
      c.json(ok(await page("licences", c.req.valid("query"), c.get("desk").actor)), 200),
    )
    .openapi(route("subscriptions", "Subscriptions"), async (c) =>
      c.json(ok(await page("subscriptions", c.req.valid("query"), c.get("desk").actor)), 200),
    )
    .openapi(
      route("tickets", "Tickets", "Newest first; with `waiting_for`, those that have waited longest first."),
      async (c) => c.json(ok(await page("tickets", c.req.valid("query"), c.get("desk").actor)), 200),
    )
    .openapi(route("refunds", "Refunds that staff asked for"), async (c) =>
      c.json(ok(await page("refunds", c.req.valid("query"), c.get("desk").actor)), 200),
    )
    .openapi(route("corrections", "Addresses that support proposed for orders and gifts"), async (c) =>
      c.json(ok(await page("corrections", c.req.valid("query"), c.get("desk").actor)), 200),
    )
    .openapi(route("audit", "The audit log"), async (c) =>
      c.json(ok(await page("audit", c.req.valid("query"), c.get("desk").actor)), 200),
    );
}

type PageOptions = { limit: number; after?: string | undefined };

function pageReader({ ctx }: Shop) {
  return async <L extends DeskList>(
    list: L,
    { limit: most, after, ...filters }: DeskFilters<L> & PageOptions,
    actor: Actor,
  ) => {
    // the rest of the query is the filters
    const asked = filters as unknown as DeskFilters<L> & Record<string, string | undefined>;
    const page = { after: placeAfter(list, asked, after), most };
    const { rows, next } = await listForDesk(ctx, actor, { list, filters: asked, page });
    return { rows, next: next && sealedCursor(list, asked, next) };
  };
}
