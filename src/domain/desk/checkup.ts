import type { Ctx } from "@/core/context";
import { factOf } from "@/core/key-values";

type Checkup = { at: Date; findings: { what: string; state: string }[] };

/** What the last checkup of the shop found, by whichever process; null before the first. */
export async function lastCheckup(ctx: Ctx): Promise<Checkup | null> {
  const kept = await factOf(ctx, "findings");
  if (kept === null) return null;
  const { at, findings } = JSON.parse(kept) as { at: string; findings: Checkup["findings"] };
  return { at: new Date(at), findings };
}
