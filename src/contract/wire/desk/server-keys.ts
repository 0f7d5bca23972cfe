import { z } from "zod";
import { instant } from "../envelope";
import { oneLine } from "../../vocabulary/plain-words";
import { withReason } from "./reason";

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
    .refine((text) => text.length >= 1 && text.length <= 64, "must have 1 to 64 characters"),
});

export const serverKeyParams = z.object({ id: z.string().max(64) });
