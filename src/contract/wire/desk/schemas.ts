import { z } from "zod";
import { maxBuildBytes } from "../../vocabulary/bounds";
import { platforms } from "../../vocabulary/builds";
import { oneLine } from "../../vocabulary/plain-words";
import { id } from "../envelope";
import { lasts } from "./codes";
import { figuresQuestion, figuresRange, subscriptionsQuestion, supportQuestion } from "./figures";
import { importColumns, importLevels } from "./imports";
import { bulkFilter, maxBulkIds } from "./jobs";
import { sha256 } from "./releases";

const platform = z.enum(platforms);

/** Fields that no form can be drawn of, by the names that the declarations of `contract/operations` have for them. */
export const deskSchemas = {
  bulkIds: z.array(id.min(1)).min(1).max(maxBulkIds),
  bulkFilter,
  codeLasts: lasts,
  eventTypes: z.array(z.string().max(64)).min(1).max(64),
  figuresQuestion,
  figuresRange,
  importColumns,
  importLevels,
  subscriptionsQuestion,
  supportQuestion,
  platforms: z.array(platform).max(platforms.length),
  publicKey: z.string().max(2_000),
  uploadFiles: z
    .array(
      z.strictObject({
        name: z
          .string()
          .max(200)
          .overwrite(oneLine)
          .regex(/^[^/\\:*?"<>|]+$/, "must be a file's name"),
        platform: platform.optional().describe("If left out, it is taken from the name"),
        size: z.int().min(1).max(maxBuildBytes),
        sha256,
        signature: z.base64().max(88).optional().describe("Ed25519 over the 64 bytes of the SHA-512, base64"),
      }),
    )
    .max(platforms.length),
} as const;

export type DeskSchemas = { [Name in keyof typeof deskSchemas]: z.infer<(typeof deskSchemas)[Name]> };
