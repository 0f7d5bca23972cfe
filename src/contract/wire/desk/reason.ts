import { z } from "zod";
import { oneLine } from "../../vocabulary/plain-words";
import { reasonLength } from "../../vocabulary/bounds";

/** Why staff do something, as the log keeps it. */
export const reason = z
  .string()
  .max(2_000)
  .overwrite(oneLine)
  .refine(
    (text) => text.length >= reasonLength.least && text.length <= reasonLength.most,
    `must have ${reasonLength.least} to ${reasonLength.most} characters`,
  )
  .describe(`Why, as the log keeps it; ${reasonLength.least} to ${reasonLength.most} characters`);

/** The body of an operation that takes only a reason. */
export const reasonBody = z.strictObject({ reason });

/** The body of an operation that takes a reason and fields of its own. */
export const withReason = <S extends z.ZodRawShape>(fields: S) => z.strictObject({ ...fields, reason });
