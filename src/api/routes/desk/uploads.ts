import { createRoute, z } from "@hono/zod-openapi";
import { createMiddleware } from "hono/factory";
import { pageOf } from "@/contract/wire/desk/pages";
import { reasonBody } from "@/contract/wire/desk/reason";
import {
  partBytes,
  partParams,
  partQuery,
  upload,
  type Upload,
  uploadBody,
  uploadParams,
} from "@/contract/wire/desk/releases";
import { takeTurn } from "@/core/limits/turns";
import { beginUpload } from "@/domain/releases/upload/begin-upload";
import { finishUpload } from "@/domain/releases/upload/finish-upload";
import { cancelUpload } from "@/domain/releases/upload/forget-uploads";
import { placeOfPart, takePart } from "@/domain/releases/upload/take-part";
import { abandonedAfter, openUploads, uploadShown, type UploadView } from "@/domain/releases/upload/uploads";
import { answers, jsonBody, ok } from "../../answers";
import { deskCall, needsCode } from "../../desk-call";
import { byDesk, type DeskEnv, expectDesk } from "../../desk-guards";
import { limitBody } from "../../json-body";
import { refusalBody } from "../../refusal-body";
import { newRouter } from "../../route-guards";
import type { Shop } from "../../shop";

/** Runs after the guard, because limiting a body may read it. */
const limitPart = createMiddleware<DeskEnv>(limitBody(partBytes));

/** /api/desk/releases/uploads: releases whose builds arrive in parts. */
export function deskUploadRoutes(shop: Shop) {
  const { ctx, parts } = shop;
  const call = deskCall(shop, "release.publish");
  return newRouter()
    .openapi(
      createRoute({
        ...call,
        method: "get",
        path: "/releases/uploads",
        summary: "The uploads that are open",
        responses: answers("The uploads, oldest first; at most four", pageOf(upload)),
      }),
      async (c) => {
        const rows = (await openUploads(ctx, c.get("desk").actor)).map(wire);
        return c.json(ok({ rows, next: null }), 200);
      },
    )
    .openapi(
      createRoute({
        ...call,
        method: "post",
        path: "/releases/uploads",
        summary: "Begin a release whose builds arrive in parts",
        description: `Then send each part, and call \`finish\`. ${needsCode}`,
        request: jsonBody(uploadBody),
        responses: answers("The upload", upload),
      }),
      async (c) => {
        const { reason, minimum_version, public_key, ...wanted } = c.req.valid("json");
        const terms = {
          ...wanted,
          minimumVersion: minimum_version ?? null,
          publicKey: public_key ?? null,
        };
        const begun = await beginUpload(ctx, shop, terms, byDesk(c, reason));
        return c.json(ok(wire(begun)), 200);
      },
    )
    .openapi(
      createRoute({
        ...call,
        method: "get",
        path: "/releases/uploads/{id}",
        summary: "An upload: the parts that are missing, or the progress of its publication",
        request: { params: uploadParams },
        responses: answers("The upload", upload),
      }),
      async (c) => {
        const found = await uploadShown(ctx, c.req.valid("param").id, c.get("desk").actor);
        return c.json(ok(wire(found)), 200);
      },
    )
    .openapi(
      createRoute({
        ...call,
        middleware: [call.middleware, limitPart] as const,
        method: "put",
        path: "/releases/uploads/{id}/files/{file}/parts/{part}",
        summary: "Send a part of a build, with its bytes as the body",
        description:
          "Parts may come in any order, and again after a lost connection. Every part except a file's last has `part_bytes` bytes. Each member of staff can send one at a time.",
        request: {
          params: partParams,
          query: partQuery,
          body: {
            required: true,
            content: { "application/octet-stream": { schema: z.string().meta({ format: "binary" }) } },
          },
        },
        responses: answers("It is stored", z.object({ stored: z.literal(true) })),
      }),
      async (c) => {
        const { actor } = c.get("desk");
        const place = c.req.valid("param");
        await placeOfPart(ctx, place, actor);
        // each is held in memory
        const end = takeTurn(ctx, `part:${actor.accountId}`);
        try {
          const bytes = new Uint8Array(await c.req.arrayBuffer());
          const sender = await expectDesk(c, shop);
          await takePart(ctx, parts, { ...place, ...c.req.valid("query"), bytes }, sender.actor);
        } finally {
          end();
        }
        return c.json(ok({ stored: true as const }), 200);
      },
    )
    .openapi(
      createRoute({
        ...call,
        method: "post",
        path: "/releases/uploads/{id}/finish",
        summary: "Publish an upload whose parts have all arrived",
        description: `The shop stores the builds after the answer (\`publishing\`); read the upload until it is \`published\` or \`refused\`. ${needsCode}`,
        request: { params: uploadParams, ...jsonBody(reasonBody) },
        responses: answers("The upload", upload),
      }),
      async (c) => {
        const by = byDesk(c, c.req.valid("json").reason);
        return c.json(ok(wire(await finishUpload(ctx, parts, c.req.valid("param").id, by))), 200);
      },
    )
    .openapi(
      createRoute({
        ...call,
        method: "post",
        path: "/releases/uploads/{id}/cancel",
        summary: "Cancel an upload, and delete what was sent",
        request: { params: uploadParams, ...jsonBody(reasonBody) },
        responses: answers("The upload", upload),
      }),
      async (c) => {
        const by = byDesk(c, c.req.valid("json").reason);
        return c.json(ok(wire(await cancelUpload(ctx, c.req.valid("param").id, by))), 200);
      },
    );
}

function wire({ terms, files, refusal, ...one }: UploadView): Upload {
  const total = files.reduce((sum, { size }) => sum + size, 0);
  return {
    id: one.id,
    state: one.state,
    version: terms.version,
    channel: terms.channel,
    title: terms.title,
    content: terms.content,
    rollout: terms.rollout,
    minimum_version: terms.minimumVersion,
    keep: terms.keep,
    tell: terms.tell,
    part_bytes: partBytes,
    files: files.map(({ file, name, platform, size, sha256, parts, missing }) => ({
      file,
      name,
      platform,
      size,
      sha256,
      parts,
      missing,
    })),
    // each build is read and then stored
    stored: one.state === "publishing" ? { bytes: one.storedBytes, of: 2 * total } : null,
    refusal: refusal && { code: refusal.code, sentence: sentenceOf(refusal) },
    created_at: one.createdAt.toISOString(),
    expires_at: new Date(one.touchedAt.getTime() + abandonedAfter).toISOString(),
  };
}

const sentenceOf = ({ code, sentence }: NonNullable<UploadView["refusal"]>) =>
  refusalBody(code, sentence === null ? {} : { sentence }).data;
