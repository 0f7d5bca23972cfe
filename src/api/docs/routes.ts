import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { compress } from "hono/compress";
import { type RefusalCode, refusalCodes, refusals } from "@/contract/vocabulary/refusals";
import { inColors } from "@/brand/drawn/colors";
import { theLook } from "@/brand/look";
import { Refusal, sentenceOf } from "@/core/base/refusal";
import { bareAnswers, refused } from "../answers";
import { limitRequests } from "../route-guards";
import type { Env, Shop } from "../shop";
import { describeApi } from "./describe";

const tags = ["Description"];

/** /api/openapi.json and /api/docs: the API's own description, generated once on first request. */
export function addDescription(app: OpenAPIHono<Env>, shop: Shop): void {
  const limit = limitRequests(shop, "public");
  let document: Promise<Sent> | undefined;
  const drawUp = async () =>
    packed("application/json", Buffer.from(JSON.stringify(describeApi(app, shop.config.publicUrl))));
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/openapi.json",
      tags,
      summary: "This description, for programs",
      middleware: limit,
      responses: bareAnswers("An OpenAPI 3.1 document", z.looseObject({})),
    }),
    async (c) => send(c, await (document ??= drawUp())) as never,
  );
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/docs",
      tags,
      summary: "This description, for people",
      // this answer holds no secret that a compressed length could reveal
      middleware: [limit, compress()],
      responses: {
        200: { description: "A page", content: { "text/html": { schema: z.string() } } },
        "4XX": refused,
      },
    }),
    async (c) => c.html(pageOf(await files()), 200),
  );
  app.openapi(
    createRoute({
      method: "get",
      path: "/api/docs/{file}",
      tags,
      summary: "A script or style sheet of that page",
      middleware: limit,
      request: {
        params: z.object({ file: z.string() }),
        query: z.object({ v: z.string().optional() }),
      },
      responses: {
        200: {
          description: "A file, which may be kept under the address that the page has for it",
          content: { "text/css": { schema: z.string() }, "text/javascript": { schema: z.string() } },
        },
        "4XX": refused,
      },
    }),
    async (c) => {
      const file = (await files()).get(c.req.valid("param").file);
      if (!file) throw new Refusal("not_found");
      if (c.req.valid("query").v === file.hash)
        c.header("cache-control", "public, max-age=31536000, immutable");
      return send(c, file);
    },
  );
}

type Sent = Awaited<ReturnType<typeof packed>>;

/** Compressed once: a megabyte takes longer than a turn of the event loop may. */
const packed = async (type: string, plain: Uint8Array<ArrayBuffer>) => ({
  type,
  plain,
  packed: await promisify(gzip)(plain),
});

function send(c: Pick<Context<Env>, "req" | "body">, { type, plain, packed: small }: Sent) {
  const isPacked = c.req.header("accept-encoding")?.includes("gzip");
  return c.body(isPacked ? small : plain, 200, {
    "content-type": type,
    vary: "Accept-Encoding",
    ...(isPacked ? { "content-encoding": "gzip" } : {}),
  });
}

type Files = Awaited<ReturnType<typeof readFiles>>;

let read: Files | undefined;
const files = async () => (read ??= await readFiles());

const readFiles = async () =>
  new Map(
    await Promise.all(
      [
        new URL("style.css", import.meta.url).href,
        new URL("viewer.js", import.meta.url).href,
        import.meta.resolve("swagger-ui-dist/swagger-ui.css"),
        import.meta.resolve("swagger-ui-dist/swagger-ui-bundle.js"),
      ].map(async (address) => {
        const file = Bun.file(new URL(address));
        const plain = address.endsWith("/style.css")
          ? new TextEncoder().encode(inColors(await file.text(), theLook.colors))
          : await file.bytes();
        const hash = new Bun.CryptoHasher("sha256").update(plain).digest("hex").slice(0, 16);
        return [
          address.slice(address.lastIndexOf("/") + 1),
          { ...(await packed(file.type, plain)), hash },
        ] as const;
      }),
    ),
  );

function pageOf(all: Files): string {
  const at = (name: string) => `/api/docs/${name}?v=${all.get(name)?.hash}`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Latchkey shop API</title>
<link rel="stylesheet" href="${at("swagger-ui.css")}">
<script src="${at("swagger-ui-bundle.js")}" defer></script>
<script src="${at("viewer.js")}" type="module"></script>
<header class="swagger-ui"><p class="wrapper">The same for programs: <a href="/api/openapi.json">openapi.json</a></p>
<details class="wrapper"><summary>Refusals: why a call may refuse</summary>
<p><code>field</code> names the field that was wrong, when one was; a <code>429</code> says in <code>Retry-After</code> how many seconds to wait.</p>
<ul id="refusals">${refusalCodes.map(itemOf).join("")}</ul>
</details>
</header>
<main id="viewer"></main>
</html>
`;
}

const itemOf = (code: RefusalCode) =>
  `<li><code>${code}</code> (${refusals[code].status}): ${Bun.escapeHTML(sentenceOf({ code }))}</li>\n`;
