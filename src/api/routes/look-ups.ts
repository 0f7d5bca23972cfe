import { createRoute, z } from "@hono/zod-openapi";
import {
  changeCursorOf,
  changePlaceOf,
  customerRow as customerShape,
  licenseRow as licenseShape,
  orderRow as orderShape,
  placeAfter,
  rowQuery,
  rowsEnvelope,
  rowsQuery,
  type RowsQuery,
  subscriptionRow as subscriptionShape,
} from "@/contract/wire/lookups";
import { pageRows } from "@/core/database/pages";
import { Refusal } from "@/core/base/refusal";
import type { ChangesQuery, Row } from "@/domain/public-queries/changes";
import { customerRow, customerRows } from "@/domain/public-queries/customers";
import { licenseRow, licenseRows } from "@/domain/public-queries/licences";
import { orderRow, orderRows } from "@/domain/public-queries/orders";
import { subscriptionRow, subscriptionRows } from "@/domain/public-queries/subscriptions";
import { answers, needsServerKey, ok, refused } from "../answers";
import { requireServerKey } from "../bearer";
import { newRouter } from "../route-guards";
import type { Shop } from "../shop";

/** /api/v1: rows that other systems look up with a server key. */
export function lookUpRoutes(shop: Shop) {
  const { ctx } = shop;
  const ask = callsFor(shop);
  return newRouter()
    .openapi(ask.one("/orders/{id}", "An order, by its id in webhooks", orderShape), async (c) =>
      c.json(ok(found(await orderRow(ctx, c.req.valid("param").id))), 200),
    )
    .openapi(ask.many("/orders", "Orders", orderShape), async (c) =>
      c.json(page(await orderRows(ctx, changesQuery(c.req.valid("query")))), 200),
    )
    .openapi(ask.one("/licenses/{id}", "A license, by its id in webhooks", licenseShape), async (c) =>
      c.json(ok(found(await licenseRow(ctx, c.req.valid("param").id))), 200),
    )
    .openapi(ask.many("/licenses", "Licenses", licenseShape), async (c) =>
      c.json(page(await licenseRows(ctx, changesQuery(c.req.valid("query")))), 200),
    )
    .openapi(ask.one("/customers/{id}", "A customer, by their account's id", customerShape), async (c) =>
      c.json(ok(found(await customerRow(ctx, c.req.valid("param").id))), 200),
    )
    .openapi(ask.many("/customers", "Customers", customerShape), async (c) =>
      c.json(page(await customerRows(ctx, changesQuery(c.req.valid("query")))), 200),
    )
    .openapi(
      ask.one("/subscriptions/{id}", "A subscription, by its id in webhooks", subscriptionShape),
      async (c) => c.json(ok(found(await subscriptionRow(ctx, c.req.valid("param").id))), 200),
    )
    .openapi(ask.many("/subscriptions", "Subscriptions", subscriptionShape), async (c) =>
      c.json(page(await subscriptionRows(ctx, changesQuery(c.req.valid("query")))), 200),
    );
}

/** The calls for each kind of row: one row by its id, and a list. */
function callsFor(shop: Shop) {
  const common = {
    method: "get" as const,
    tags: ["Look-ups"],
    security: needsServerKey,
    middleware: requireServerKey(shop),
  };
  return {
    one: <P extends string, S extends z.ZodType>(path: P, summary: string, row: S) =>
      createRoute({
        ...common,
        path,
        summary,
        request: { params: z.object({ id: z.string() }), query: rowQuery },
        responses: answers("As it is now", row),
      }),
    many: <P extends string, S extends z.ZodType>(path: P, summary: string, row: S) =>
      createRoute({
        ...common,
        path,
        summary: `${summary} of an address, or all that changed after a time`,
        description:
          "A hundred at a time, the oldest change first. A row that changes meanwhile comes again, and none is left out.",
        request: { query: rowsQuery },
        responses: {
          200: {
            description: "A page of them",
            content: { "application/json": { schema: rowsEnvelope(row) } },
          },
          "4XX": refused,
          "5XX": refused,
        },
      }),
  };
}

function found<R>(row: Row<R> | null) {
  if (!row) throw new Refusal("not_found", { sentence: "Nothing here has that id." });
  return row.data;
}

const changesQuery = ({ email, updated_after = "1970-01-01T00:00:00Z", after }: RowsQuery): ChangesQuery => ({
  email: email ?? null,
  after: (after && changePlaceOf(after)) || placeAfter(updated_after),
  limit: pageRows + 1,
});

function page<R>(rows: Row<R>[]) {
  const shown = rows.slice(0, pageRows);
  const last = shown.at(-1);
  const next = last && rows.length > shown.length ? changeCursorOf(last.place) : null;
  return { status: 200 as const, data: shown.map(({ data }) => data), next };
}
