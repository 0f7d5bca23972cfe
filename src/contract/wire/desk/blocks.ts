import { z } from "zod";
import { blockKinds } from "../../vocabulary/kinds";
import { instant } from "../envelope";

export const blockRow = z.object({
  id: z.string(),
  kind: z.enum(blockKinds),
  label: z.string(),
  reason: z.string(),
  created_at: instant,
});
export type BlockRow = z.infer<typeof blockRow>;
