import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import {
  type DeskFilters,
  type DeskList,
  deskLists,
  deskRows,
  filterQuery,
  listCount,
} from "@/contract/wire/desk/lists";
import type { DeskStaff } from "@/core/base/actor";
import { csvHeading, csvLine } from "@/core/base/csv-line";
import { countForDesk, exportForDesk } from "@/domain/staff-queries/export";
import { answers, needsDesk, ok, refused } from "../../answers";
import { type DeskEnv, deskOnly, whileAtDesk } from "../../desk-guards";
import { cellsOf, columnsOf } from "../../row-columns";
import { newRouter } from "../../route-guards";
import type { Shop } from "../../shop";
import { streamFile } from "../../streamed";

/** /api/desk/export: a list as a file, and how many rows it would have. */
export function deskExportRoutes(shop: Shop) {
  const router = newRouter();
  for (const list of deskLists) addRoutes(router, shop, list);
  return router;
}

function addRoutes(router: ReturnType<typeof newRouter>, shop: Shop, list: DeskList): void {
  const { ctx } = shop;
  const [named, entries] = list === "audit" ? ["the audit log", "entries of the audit log"] : [list, list];
  const common = {
    method: "get" as const,
    tags: ["desk"],
    security: needsDesk,
    middleware: deskOnly(shop, "desk.export"),
    request: { query: filterQuery(list) },
  };
  router.openapi(
    createRoute({
      ...common,
      path: `/export/${list}.csv`,
      summary: `Export ${named} as a CSV file`,
      description:
        "UTF-8 with a byte order mark. The columns are the rows' fields, with nested names joined by `_`. Needs a fresh code (`confirm`), and is logged.",
      responses: {
        200: { description: "The file", content: { "text/csv": { schema: z.string() } } },
        "4XX": refused,
        "5XX": refused,
      },
    }),
    (c) => {
      const { actor, filters } = askedFor<DeskList>(c);
      const pages = whileAtDesk(c, shop, {
        operation: "desk.export",
        pages: exportForDesk(ctx, actor, { list, filters }),
      });
      const headers = {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": `attachment; filename="${list}.csv"`,
      };
      return streamFile(c, { ctx, accountId: actor.accountId, headers }, linesOf(list, pages));
    },
  );
  router.openapi(
    createRoute({
      ...common,
      path: `/export/${list}/count`,
      summary: `How many ${entries} an export would have`,
      responses: answers("The number of rows", listCount),
    }),
    async (c) => {
      const { actor, filters } = askedFor<DeskList>(c);
      return c.json(ok(await countForDesk(ctx, actor, { list, filters })), 200) as never;
    },
  );
}

/** Who asks, and the filters of the list, whose types the checker can't follow for every list at once. */
function askedFor<L extends DeskList>(c: Context): { actor: DeskStaff; filters: DeskFilters<L> } {
  const { desk } = (c as Context<DeskEnv>).var;
  return { actor: desk.actor, filters: c.req.valid("query" as never) };
}

async function* linesOf(list: DeskList, pages: AsyncIterable<object[]>): AsyncGenerator<string> {
  const columns = columnsOf(deskRows[list]);
  yield csvHeading(columns.map(({ name }) => name));
  for await (const rows of pages) yield rows.map((row) => csvLine(cellsOf(columns, row))).join("");
}
