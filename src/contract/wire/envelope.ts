import { z } from "zod";
import { refusalCodes } from "../vocabulary/refusals";
import { maxIdLength } from "../vocabulary/bounds";

/** The answer to every successful call under /api: `{status, data}`. */
export const envelope = <S extends z.ZodType>(data: S) => z.object({ status: z.literal(200), data });

/** The answer to every refused call: `data` is the sentence to show, `code` a stable machine-readable code. */
export const refusalEnvelope = z.object({
  status: z.int(),
  data: z.string(),
  code: z.enum(refusalCodes),
  field: z.string().optional().describe("The invalid field, if there is one"),
  fields: z
    .record(z.string(), z.string())
    .optional()
    .describe("If several fields are wrong: each one's sentence, `field` among them"),
  available_at: z.iso.datetime().optional().describe("When the call would no longer be refused"),
  subscription: z.string().optional().describe("The one that runs"),
});

/** An id of ours. */
export const id = z.string().max(maxIdLength);

/** What a shop sells more or less of; its id never changes. */
export const level = z.object({ id: z.string(), name: z.string() });

/** ISO 8601 in UTC. */
export const instant = z.iso.datetime();

/** A valid IANA time zone name; for display only. */
export const timezone = z
  .string()
  .max(64)
  .refine((name) => {
    try {
      return Boolean(new Intl.DateTimeFormat("en", { timeZone: name }));
    } catch {
      return false;
    }
  }, "must be an IANA time zone")
  .describe("An IANA time zone");

/** The browser's own, which is in no field that people could correct: `UTC` if it isn't known. */
export const browserTimezone = timezone
  .catch("UTC")
  .meta({ type: "string", description: "The browser's IANA time zone; anything else, or none, is UTC" });
