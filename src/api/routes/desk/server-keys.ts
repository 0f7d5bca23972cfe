import { createRoute } from "@hono/zod-openapi";
import { pageOf, pageOnly } from "@/contract/wire/desk/pages";
import { reasonBody } from "@/contract/wire/desk/reason";
import {
  serverKeyBody,
  serverKeyMade,
  serverKeyParams,
  serverKeyRow,
  type ServerKeyRow,
} from "@/contract/wire/desk/server-keys";
import { addServerKey, removeServerKey, type ServerKey, serverKeysShown } from "@/domain/keys/staff-actions";
import { answers, jsonBody, ok } from "../../answers";
import { asked, deskCall, deskPage, needsCode } from "../../desk-call";
import { byDesk } from "../../desk-guards";
import { newRouter } from "../../route-guards";
import type { Shop } from "../../shop";

/** /api/desk/keys: keys with which other systems look up orders, licences and customers. */
export function deskServerKeyRoutes(shop: Shop) {
  const { ctx } = shop;
  return newRouter()
    .openapi(
      createRoute({
        ...deskCall(shop, "server_key.read"),
        method: "get",
        path: "/keys",
        summary: "Every server key, by name only",
        request: { query: pageOnly },
        responses: answers("A page of the keys, oldest first", pageOf(serverKeyRow)),
      }),
      async (c) => {
        const query = c.req.valid("query");
        const rows = await serverKeysShown(ctx, asked(query), c.get("desk").actor);
        return c.json(ok(deskPage(rows, query, { wire, place })), 200);
      },
    )
    .openapi(
      createRoute({
        ...deskCall(shop, "server_key.add"),
        method: "post",
        path: "/keys",
        summary: "Make a server key",
        description: `It can read every order and email, and only this answer shows it. ${needsCode}`,
        request: jsonBody(serverKeyBody),
        responses: answers("The key", serverKeyMade),
      }),
      async (c) => {
        const { name, reason } = c.req.valid("json");
        const made = await addServerKey(ctx, name, byDesk(c, reason));
        return c.json(ok({ ...wire(made), key: made.key }), 200);
      },
    )
    .openapi(
      createRoute({
        ...deskCall(shop, "server_key.remove"),
        method: "post",
        path: "/keys/{id}/remove",
        summary: "Revoke a server key at once",
        description: needsCode,
        request: { params: serverKeyParams, ...jsonBody(reasonBody) },
        responses: answers("The key that was removed", serverKeyRow),
      }),
      async (c) => {
        const by = byDesk(c, c.req.valid("json").reason);
        return c.json(ok(wire(await removeServerKey(ctx, c.req.valid("param").id, by))), 200);
      },
    );
}

const place = ({ id, createdAt }: ServerKey) => ({ id, at: createdAt });

const wire = ({ id, name, createdAt }: ServerKey): ServerKeyRow => ({
  id,
  name,
  created_at: createdAt.toISOString(),
});
