import { Hono } from "hono";
import { join } from "node:path";
import type { World } from "../world";

const assets: Record<string, string> = { "server.css": "text/css", "live.js": "text/javascript" };
const shown = /^(image\/(png|jpeg|gif|webp)|text\/plain)/;

/** The page's style and script, and files of messages. */
export function fileRoutes(world: World): Hono {
  const app = new Hono();
  app.get("/_assets/:name", (c) => {
    const type = assets[c.req.param("name")];
    if (type === undefined) return c.text("Not found", 404);
    return new Response(Bun.file(join(import.meta.dir, c.req.param("name"))), {
      headers: { "content-type": `${type}; charset=utf-8`, "x-content-type-options": "nosniff" },
    });
  });
  app.get("/attachments/:channel/:id/:name", (c) => {
    const found = world.store.attachments.get(c.req.param("id"));
    if (!found) return c.text("Not found", 404);
    return new Response(Buffer.from(found.base64, "base64"), {
      headers: {
        "content-type": shown.test(found.content_type) ? found.content_type : "application/octet-stream",
        "x-content-type-options": "nosniff",
        "content-security-policy": "sandbox; default-src 'none'",
      },
    });
  });
  return app;
}
