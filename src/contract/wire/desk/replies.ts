import { z } from "zod";

/** A text that staff answer with often. */
export const savedReply = z.object({ id: z.string(), name: z.string(), text: z.string() });
export type SavedReply = z.infer<typeof savedReply>;
