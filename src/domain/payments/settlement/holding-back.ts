import type { Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { factOf, forgetFact, keepFact } from "@/core/database/key-values";
import { subscriptions } from "../../schema/subscriptions";

const fact = "subscriptions_held_back";

/**
 * A restored database doesn't know what happened since its backup, so the shop changes nothing at Stripe until all
 * subscriptions are checked (`sync`), or, where much would change then, until the operator agrees (`agree`).
 */
export type HeldBack = "sync" | "agree";

export const holdBack = (ctx: Ctx, until: HeldBack): Write => keepFact(ctx, fact, until);

/** The writes of a restore. The default cards of the backup are forgotten: another one now is no change. */
export const holdBackRestored = (ctx: Ctx): Write[] => [
  holdBack(ctx, "sync"),
  ctx.store.db.update(subscriptions).set({ generalCard: null }),
];

export const heldBack = async (ctx: Ctx): Promise<HeldBack | null> =>
  (await factOf(ctx, fact)) as HeldBack | null;

/** The write from which on Stripe is made to agree again. */
export const holdBackNoMore = (ctx: Ctx): Write => forgetFact(ctx, fact);
