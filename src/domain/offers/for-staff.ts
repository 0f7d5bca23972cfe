import { desc, eq } from "drizzle-orm";
import type { Actor } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { authorize } from "../permissions";
import { levels } from "../schema/levels";
import { type OfferRow, offers } from "../schema/offers";
import { knownOfferVersion } from "./list";

export type OfferState = "on_sale" | "retired" | "other_currency" | "newer_release" | "level_retired";

export type OfferShown = Omit<OfferRow, "version" | "offerVersion"> & { state: OfferState };

/** Every offer, retired ones too, newest first. */
export async function offersShown(ctx: Ctx, actor: Actor): Promise<OfferShown[]> {
  authorize(actor, "offer.read");
  const newest = [desc(offers.createdAt), desc(offers.id)];
  const all = await ctx.store.db
    .select({ offer: offers, levelRetiredAt: levels.retiredAt })
    .from(offers)
    .leftJoin(levels, eq(levels.id, offers.level))
    .orderBy(...newest);
  return all.map(({ offer, levelRetiredAt }) => ({
    ...offer,
    state: levelRetiredAt && !offer.retiredAt ? "level_retired" : offerState(ctx, offer),
  }));
}

/** An offer as it is now. Refuses with `offer_unknown`. */
export async function offerShown(ctx: Ctx, id: string, actor: Actor): Promise<OfferShown> {
  const found = (await offersShown(ctx, actor)).find((offer) => offer.id === id);
  if (!found) throw new Refusal("offer_unknown", { subject: true });
  return found;
}

function offerState({ currency }: Ctx, offer: OfferRow): OfferState {
  if (offer.retiredAt) return "retired";
  if (offer.offerVersion > knownOfferVersion) return "newer_release";
  return offer.currency === currency ? "on_sale" : "other_currency";
}
