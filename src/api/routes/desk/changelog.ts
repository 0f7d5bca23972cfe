import { createRoute } from "@hono/zod-openapi";
import {
  changelogParams,
  changelogRow,
  type ChangelogRow,
  newsBody,
  newsChangeBody,
} from "@/contract/wire/desk/changelog";
import { pageOf, pageOnly } from "@/contract/wire/desk/pages";
import { reasonBody } from "@/contract/wire/desk/reason";
import {
  addNews,
  changelogShown,
  editEntry,
  type Entry,
  entryShown,
  removeNews,
} from "@/domain/releases/changelog";
import { answers, jsonBody, ok } from "../../answers";
import { deskCall, deskPage, rowsAfter } from "../../desk-call";
import { byDesk } from "../../desk-guards";
import { newRouter } from "../../route-guards";
import type { Shop } from "../../shop";

/** /api/desk/changelog: the notes of releases, and other news. */
export function deskChangelogRoutes(shop: Shop) {
  const { ctx } = shop;
  return newRouter()
    .openapi(
      createRoute({
        ...deskCall(shop, "changelog.read"),
        method: "get",
        path: "/changelog",
        summary: "The changelog, newest first",
        request: { query: pageOnly },
        responses: answers("A page of the changelog", pageOf(changelogRow)),
      }),
      async (c) => {
        const query = c.req.valid("query");
        const all = await changelogShown(ctx, c.get("desk").actor);
        return c.json(ok(deskPage(rowsAfter(all, query, place), query, { wire, place })), 200);
      },
    )
    .openapi(
      createRoute({
        ...deskCall(shop, "changelog.add"),
        method: "post",
        path: "/changelog",
        summary: "Add news that doesn't belong to a release",
        request: jsonBody(newsBody),
        responses: answers("The entry", changelogRow),
      }),
      async (c) => {
        const { reason, ...text } = c.req.valid("json");
        const id = await addNews(ctx, text, byDesk(c, reason));
        return c.json(ok(wire(await entryShown(ctx, id, c.get("desk").actor))), 200);
      },
    )
    .openapi(
      createRoute({
        ...deskCall(shop, "changelog.edit"),
        method: "post",
        path: "/changelog/{id}/edit",
        summary: "Edit a release's notes, or other news",
        request: { params: changelogParams, ...jsonBody(newsChangeBody) },
        responses: answers("The entry", changelogRow),
      }),
      async (c) => {
        const { id } = c.req.valid("param");
        const { reason, title, content } = c.req.valid("json");
        const text = {
          ...(title === undefined ? {} : { title }),
          ...(content === undefined ? {} : { content }),
        };
        await editEntry(ctx, id, text, byDesk(c, reason));
        return c.json(ok(wire(await entryShown(ctx, id, c.get("desk").actor))), 200);
      },
    )
    .openapi(
      createRoute({
        ...deskCall(shop, "changelog.remove"),
        method: "post",
        path: "/changelog/{id}/remove",
        summary: "Remove news that doesn't belong to a release",
        request: { params: changelogParams, ...jsonBody(reasonBody) },
        responses: answers("The entry that was removed", changelogRow),
      }),
      async (c) => {
        const { id } = c.req.valid("param");
        const removed = await removeNews(ctx, id, byDesk(c, c.req.valid("json").reason));
        return c.json(ok(wire(removed)), 200);
      },
    );
}

/** Without the characters of a version that a cursor can't have. */
const place = ({ id, date }: Entry) => ({ id: id.replace(/[^\w-]/g, "_"), at: date });

const wire = ({ id, isRelease, date, title, content }: Entry): ChangelogRow => ({
  id,
  release: isRelease,
  date: date.toISOString(),
  title,
  content,
});
