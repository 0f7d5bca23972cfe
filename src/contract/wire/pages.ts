import { z } from "zod";

/** A row's place in a list, as {@link cursorOf} writes it. */
type Place = { at: Date; id: string };

export const pageQuery = z.object({
  before: z
    .string()
    .max(200)
    .refine((cursor) => placeOf(cursor) !== null, "must be what `next` said")
    .optional()
    .describe("What `next` of the page before said; without it, the newest rows"),
});

export const pageEnvelope = <S extends z.ZodType>(data: S) =>
  z.object({
    status: z.literal(200),
    data,
    next: z.string().nullable().describe("To send as `before` for the rows after these; null at the end"),
  });

/** Opaque to clients: the place where a page ends. */
export const cursorOf = ({ at, id }: Place): string =>
  Buffer.from(`${at.getTime()}.${id}`).toString("base64url");

/** The place in a cursor; null if {@link cursorOf} did not write it. */
export function placeOf(cursor: string): Place | null {
  const [, at, id] = /^(\d{1,15})\.([\w-]{1,64})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  return at && id && cursorOf({ at: new Date(Number(at)), id }) === cursor
    ? { at: new Date(Number(at)), id }
    : null;
}
