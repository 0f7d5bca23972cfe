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
