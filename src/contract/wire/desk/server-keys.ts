import { z } from "zod";
import { instant } from "../envelope";

export const serverKeyRow = z.object({ id: z.string(), name: z.string(), created_at: instant });
export type ServerKeyRow = z.infer<typeof serverKeyRow>;

/** The key is shown here and never again. */
export const serverKeyMade = serverKeyRow.extend({ key: z.string() });
