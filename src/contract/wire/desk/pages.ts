import { z } from "zod";
import { placeOf } from "../pages";

/** The page fields of every list of products and settings; the cursor is a row's place in the order of the list. */
export const pageFields = {
  limit: z.coerce.number().int().min(1).max(100).default(50).describe("How many rows at most"),
  after: z
    .string()
    .max(200)
    .refine((cursor) => placeOf(cursor) !== null, "must be what `next` said")
    .optional()
    .describe("`next` of the previous page, with the same filters"),
};

export const pageOnly = z.strictObject(pageFields);

/** The data of a list's answer. */
export const pageOf = <S extends z.ZodType>(row: S) =>
  z.object({
    rows: z.array(row),
    next: z.string().nullable().describe("Send it as `after` to get the next page; null on the last page"),
  });
