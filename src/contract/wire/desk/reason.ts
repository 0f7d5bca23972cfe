import { z } from "zod";
import { oneLine } from "../../vocabulary/plain-words";

const mostReason = 300;

/** Why staff do something, as the log keeps it. */
export const reason = z
  .string()
  .max(2_000)
  .overwrite(oneLine)
  .refine((text) => text.length >= 3 && text.length <= mostReason, `must have 3 to ${mostReason} characters`)
  .describe("Why, as the log keeps it; 3 to 300 characters");

/** The body of an operation that takes only a reason. */
export const reasonBody = z.strictObject({ reason });

/** The body of an operation that takes a reason and fields of its own. */
export const withReason = <S extends z.ZodRawShape>(fields: S) => z.strictObject({ ...fields, reason });
