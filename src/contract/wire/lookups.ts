import { z } from "zod";
import { instant } from "./envelope";
import { licenseResource, orderResource, subscriptionResource } from "./webhooks";

/** A row's place in a list of changes: when it last changed, in microseconds since 1970, and its id. */
export type ChangePlace = { updated: number; id: string };

const updated = {
  updated_at: instant.describe("When anything above last changed, to the microsecond"),
};

export const orderRow = orderResource.extend(updated);
export const licenseRow = licenseResource.extend(updated);
export const subscriptionRow = subscriptionResource.extend(updated);
export const customerRow = z.object({
  account: z.string(),
  username: z.string(),
  email: z.string().nullable().describe("null once another account has confirmed what this one typed"),
  email_confirmed: z.boolean().describe("false: it was only typed, and identifies nobody"),
  created_at: instant,
  ...updated,
});

const aTime = "must be a time such as 2026-03-01T10:00:00Z or 2026-03-01T12:00:00+02:00";

/** Strict, so that a misspelled parameter is refused. */
export const rowQuery = z.strictObject({});

export const rowsQuery = z
  .strictObject({
    email: z
      .string()
      .max(254)
      .regex(/.@./, "must be an email address")
      .optional()
      .describe("Rows of this address, in any spelling"),
    updated_after: z
      .string()
      // an unescaped plus in a URL arrives as a space
      .overwrite((time) => time.replace(/ (?=\d\d:\d\d$)/, "+"))
      .check(z.iso.datetime({ offset: true, error: aTime }))
      .optional()
      .describe("Rows that changed later than this; with an offset or `Z`"),
    after: z
      .string()
      .max(200)
      .refine((cursor) => changePlaceOf(cursor) !== null, "must be what `next` said")
      .optional()
      .describe("What `next` of the page before said, with the same `email` or `updated_after`"),
  })
  .refine((query) => (query.email === undefined) !== (query.updated_after === undefined), {
    path: ["updated_after"],
    message: "Send email or updated_after, not both.",
    params: { isSentence: true },
  });
export type RowsQuery = z.infer<typeof rowsQuery>;

export const rowsEnvelope = <S extends z.ZodType>(row: S) =>
  z.object({
    status: z.literal(200),
    data: z.array(row),
    next: z.string().nullable().describe("To send as `after` for the rows after these; null at the end"),
  });

/** Opaque to clients: the place where a page ends. */
export const changeCursorOf = ({ updated: at, id }: ChangePlace): string =>
  Buffer.from(`${at}.${id}`).toString("base64url");

/** The place in a cursor; null if {@link changeCursorOf} did not write it. */
export function changePlaceOf(cursor: string): ChangePlace | null {
  const [, at, id] = /^(\d{1,16})\.([\w-]{1,64})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (!at || !id || !Number.isSafeInteger(Number(at))) return null;
  const place = { updated: Number(at), id };
  return changeCursorOf(place) === cursor ? place : null;
}

/** Microseconds since 1970 as ISO 8601: `2027-01-31T12:00:00.000123Z`. */
export const microsecondInstant = (microseconds: number): string =>
  new Date(Math.floor(microseconds / 1000))
    .toISOString()
    .replace("Z", `${String(microseconds % 1000).padStart(3, "0")}Z`);

/**
 * The place after every row that changed at this time or before, in ISO 8601 with `Z` or an offset; rounds a finer time
 * than a microsecond down.
 */
export function placeAfter(time: string): ChangePlace {
  const [, whole = "", fraction = "", zone = ""] = /^(.*?)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/.exec(time) ?? [];
  const microseconds = Number(fraction.slice(0, 6).padEnd(6, "0"));
  const at = Date.parse(`${whole}${zone}`) * 1000 + microseconds + 1;
  return { updated: Math.min(Math.max(at, 0), Number.MAX_SAFE_INTEGER), id: "" };
}
