import { z } from "zod";
import { importedThings, importOutcomes } from "../../vocabulary/import-files";
import { instant, level } from "../envelope";
import { importCounts } from "./jobs";

export const importParams = z.object({ what: z.enum(importedThings) });

/** What the file calls each field; empty where it has none. */
export const importColumns = z.record(z.string().max(40), z.string().max(200));

/** The level that each of the file's words means. */
export const importLevels = z.record(z.string().max(200), z.string().max(64));

/** `PUT /api/desk/imports/:what` */
export const importFile = z.object({
  id: z.string(),
  what: z.enum(importedThings),
  format: z.string().describe("How the file was read, such as `CSV with commas, UTF-8`"),
  lines: z.int().describe("Without the one that names the columns"),
  columns: z.array(z.string()).describe("What the file calls its columns"),
  fields: z.array(
    z.object({
      name: z.string(),
      required: z.boolean(),
      column: z.string().nullable().describe("The column with a name that the shop knows"),
    }),
  ),
  kept_until: instant.describe("When the file is deleted, unless it is imported before"),
});
export type ImportFile = z.infer<typeof importFile>;

const importPreview = z.object({
  total: z.int(),
  unit: z.enum(["line", "entry"]).describe("What is counted: an entry of the list in JSON"),
  lines: importCounts,
  over: z.int().describe("How many licenses of new customers are over already"),
  ignored: z.array(z.string()).describe("The columns that are not imported"),
  levels: z
    .array(z.object({ word: z.string(), level: z.string().nullable() }))
    .describe(
      "The file's words for levels, and the level that each means; null: nothing says, and its lines are refused",
    ),
  known_levels: z.array(level).describe("The levels that a word can mean"),
  sample: z
    .array(
      z.object({
        line: z.int(),
        outcome: z.enum(importOutcomes),
        name: z.string().nullable().describe("The customer, or the masked key"),
        sentence: z.string().nullable().describe("Why"),
      }),
    )
    .describe("The first ten of each outcome"),
});
export type ImportPreview = z.infer<typeof importPreview>;

/** `POST /api/desk/imports/:id` answers with a preview or with the job that was created. */
export const importStarted = z.union([z.object({ job: z.string() }), importPreview]);
