import { Hono } from "hono";
import { join } from "node:path";
import type { World } from "../world";

const assets: Record<string, string> = { "server.css": "text/css", "live.js": "text/javascript" };
const shown = /^(image\/(png|jpeg|gif|webp)|text\/plain)/;

/** Style and script of the page, files that were sent, and pictures of people. */
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
  app.get("/avatars/:user/:file", (c) => picture(c.req.param("user"), c.req.param("file")));
  app.get("/embed/avatars/:file", (c) => picture("0", c.req.param("file")));
  return app;
}

/** A square of a colour that the name decides. */
function picture(user: string, file: string): Response {
  const hue = Bun.hash(user + file) % 360n;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="hsl(${hue} 60% 45%)"/><circle cx="4" cy="3" r="1.6" fill="#fff"/><path d="M1 8a3 3 0 0 1 6 0z" fill="#fff"/></svg>`;
  return new Response(svg, { headers: { "content-type": "image/svg+xml", "cache-control": "max-age=3600" } });
}
