import { z } from "zod";

/** The page fields of every list of the desk; a cursor holds the filters too. */
export const sealedPage = {
  limit: z.coerce.number().int().min(1).max(100).default(50).describe("How many rows at most"),
  after: z.string().min(1).max(200).optional().describe("`next` of the previous page, with the same filters"),
};

/** The data of a list's answer. */
export const pageOf = <S extends z.ZodType>(row: S) =>
  z.object({
    rows: z.array(row),
    next: z.string().nullable().describe("Send it as `after` to get the next page; null on the last page"),
  });
