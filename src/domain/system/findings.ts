import type { Actor } from "@/core/base/actor";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { factOf, keepFact } from "@/core/database/key-values";
import { reasonOf } from "@/core/log/log";
import { authorize } from "../permissions";

/** What `shop doctor` found. `unknown`: it can't tell. */
export type Finding = { what: string; state: "well" | "warning" | "wrong" | "unknown"; sentence: string };

const fact = "findings";
type Kept = { at: string; findings: Finding[] };

/** The findings of the last checkup, by whichever process; null before the first. */
export async function lastFindings(
  ctx: Pick<Ctx, "store">,
): Promise<{ at: Date; findings: Finding[] } | null> {
  const kept = await factOf(ctx, fact);
  if (kept === null) return null;
  const { at, findings } = JSON.parse(kept) as Kept;
  return { at: new Date(at), findings };
}

export type Checkups = {
  /** Makes new findings; while that is under way, waits for the same. */
  run(): Promise<void>;
  isRunning(): boolean;
};

/** Checkups of this process, one at a time: each asks Stripe, Discord and the mail server. */
export function createCheckups(ctx: Ctx, examine: () => Promise<Finding[]>): Checkups {
  let underWay: Promise<void> | null = null;
  const examined = async () => {
    const findings = await examine();
    const kept: Kept = { at: ctx.now().toISOString(), findings };
    await commit(ctx.store, [keepFact(ctx, fact, JSON.stringify(kept))]);
  };
  return {
    run: () => (underWay ??= examined().finally(() => (underWay = null))),
    isRunning: () => underWay !== null,
  };
}

/** Begins a checkup, unless one is under way; its findings come within the minute. */
export function beginCheckup(ctx: Ctx, checkups: Checkups, actor: Actor): void {
  authorize(actor, "system.check");
  checkups.run().catch((error: unknown) => {
    ctx.log.warn("a checkup failed", { reason: reasonOf(error) });
  });
}
