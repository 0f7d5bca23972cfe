import type { Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { factOf, forgetFact, keepFact } from "@/core/database/key-values";
import { subscriptions } from "../../schema/subscriptions";

const fact = "subscriptions_held_back";

/**
 * A restored database doesn't know what happened since its backup, so the shop changes nothing at Stripe until all
 * subscriptions are checked (`sync`), or, where much would change then, until the operator agrees (`agree`).
 */
export type PausedUntil = "sync" | "agree";

export const pauseChanges = (ctx: Ctx, until: PausedUntil): Write => keepFact(ctx, fact, until);

/** The writes of a restore. The default cards of the backup are forgotten: another one now is no change. */
export const pauseChangesAfterRestore = (ctx: Ctx): Write[] => [
  pauseChanges(ctx, "sync"),
  ctx.store.db.update(subscriptions).set({ generalCard: null }),
];

export const changesPausedUntil = async (ctx: Ctx): Promise<PausedUntil | null> =>
  (await factOf(ctx, fact)) as PausedUntil | null;

/** The write from which on Stripe is made to agree again. */
export const resumeChanges = (ctx: Ctx): Write => forgetFact(ctx, fact);
