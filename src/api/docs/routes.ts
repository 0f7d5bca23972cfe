import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { compress } from "hono/compress";
import { bareAnswers, refused } from "../answers";
import { limited } from "../route-guards";
import type { Env, Shop } from "../shop";
import { describeApi } from "./describe";

const tags = ["Description"];

/** /api/openapi.json and /api/docs: the API's own description, generated once on first request. */
export function addDescription(app: OpenAPIHono<Env>, shop: Shop): void {
  const document = once(() => describeApi(app, shop.config.publicUrl));
  const page = once(async () => (await import("./page")).docsPage(document()));
  const style = once(() => Bun.file(new URL("style.css", import.meta.url)).text());
  // these answers hold no secret that a compressed length could reveal
  const middleware = [limited(shop, "public"), compress()];
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/openapi.json",
      tags,
      summary: "This description, for programs",
      middleware,
      responses: bareAnswers("An OpenAPI 3.1 document", z.looseObject({})),
    }),
    (c) => c.json(document(), 200),
  );
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/docs",
      tags,
      summary: "This description, for people",
      middleware,
      responses: {
        200: { description: "A page", content: { "text/html": { schema: z.string() } } },
        "4XX": refused,
      },
    }),
    async (c) => c.html(await page(), 200),
  );
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/docs/style.css",
      tags,
      summary: "How that page looks",
      middleware,
      responses: {
        200: { description: "A stylesheet", content: { "text/css": { schema: z.string() } } },
        "4XX": refused,
      },
    }),
    async (c) => c.body(await style(), 200, { "content-type": "text/css; charset=utf-8" }),
  );
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
