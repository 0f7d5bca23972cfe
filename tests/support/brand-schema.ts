import { join } from "node:path";
import { z } from "zod";
import { brandSchema } from "@/brand/schema";

export const schemaFile = join(import.meta.dir, "../../src/brand/brand.schema.json");

/** The JSON Schema with which editors complete a brand.json; `bun run brand-schema` writes it. */
export const schemaText = () =>
  `${JSON.stringify({ title: "A shop's brand", ...z.toJSONSchema(brandSchema, { io: "input" }) }, null, 2)}\n`;

if (import.meta.main) await Bun.write(schemaFile, schemaText());
