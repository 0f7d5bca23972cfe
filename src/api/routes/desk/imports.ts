import { createRoute, z } from "@hono/zod-openapi";
import { maxImportBytes, tooLargeToImport } from "@/contract/vocabulary/import-files";
import { importFile, importParams } from "@/contract/wire/desk/imports";
import { toWire } from "@/contract/wire/to-wire";
import { Refusal, refusalIn } from "@/core/base/refusal";
import { spend } from "@/core/limits/limits";
import { takeTurn } from "@/core/limits/turns";
import { keepImportFile } from "@/domain/imports/kept-file";
import { answers, ok } from "../../answers";
import { deskCall, expectDesk } from "../../desk-guards";
import { bytesOf } from "../../json-body";
import { newRouter } from "../../route-guards";
import type { Shop } from "../../shop";

/** /api/desk/imports: the files of another shop. */
export function deskImportRoutes(shop: Shop) {
  return newRouter().openapi(
    createRoute({
      ...deskCall(shop, "import.make"),
      method: "put",
      path: "/imports/{what}",
      summary: "Send a file of another shop's keys or customers, with its bytes as the body",
      description:
        "CSV with commas, semicolons or tabs, or JSON, in UTF-8 or UTF-16; at most 2 MB and 10,000 lines. It is kept until it is imported, for an hour at most.",
      request: {
        params: importParams,
        body: {
          required: true,
          content: { "application/octet-stream": { schema: z.string().meta({ format: "binary" }) } },
        },
      },
      responses: answers("How the file is read", importFile),
    }),
    async (c) => {
      const { accountId } = c.get("desk").actor;
      // each is held in memory
      const end = takeTurn(shop.ctx, `import:${accountId}`);
      try {
        await spend(shop.ctx, shop.limits["import-file"], accountId);
        const bytes = await bytesOf(c, maxImportBytes).catch((error: unknown) => {
          if (refusalIn(error)?.code !== "body_too_large") throw error;
          throw new Refusal("body_too_large", { sentence: tooLargeToImport });
        });
        const { actor } = await expectDesk(c, shop);
        const kept = await keepImportFile(shop, { ...c.req.valid("param"), bytes }, actor);
        return c.json(ok(toWire(importFile, kept)), 200);
      } finally {
        end();
      }
    },
  );
}
