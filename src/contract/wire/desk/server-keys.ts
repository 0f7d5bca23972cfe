import { z } from "zod";
import { id, instant } from "../envelope";
import { oneLine } from "../../vocabulary/plain-words";
import { withReason } from "./reason";
import { mostOfAServerKeysName } from "../../vocabulary/bounds";

export const serverKeyRow = z.object({ id: z.string(), name: z.string(), created_at: instant });
export type ServerKeyRow = z.infer<typeof serverKeyRow>;

/** The key is shown here and never again. */
export const serverKeyMade = serverKeyRow.extend({ key: z.string() });

export type ServerKeyMade = z.infer<typeof serverKeyMade>;

export const serverKeyBody = withReason({
  name: z
    .string()
    .max(500)
    .overwrite(oneLine)
    .refine(
      (text) => text.length >= 1 && text.length <= mostOfAServerKeysName,
      `must have 1 to ${mostOfAServerKeysName} characters`,
    ),
});

export const serverKeyParams = z.object({ id });
