import { and, count, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { money } from "@/contract/vocabulary/money";
import type { By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, isDuplicate, mustHaveChanged, mustNotExist, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { Refusal, type RefusalDetail } from "@/core/base/refusal";
import { expectPrice } from "../bills/bill";
import { levelToGive } from "../levels/list";
import { knownOfferVersion, oldestFirst, onSale } from "./list";
import { type OfferRow, offers } from "../schema/offers";
import { authorize, expectConfirmed } from "../permissions";

/** Paid once and for one computer unless it says otherwise. */
type NewOffer = { id: string } & Omit<Terms, keyof typeof usual | "level"> & Partial<Terms>;
export type Terms = Pick<
  OfferRow,
  "name" | "level" | "hidden" | "amount" | "days" | "devices" | "every" | "trialDays"
>;
const usual = { devices: 1, every: null, trialDays: null, hidden: false };

/** The products that Stripe's page for customers lets them switch between: https://docs.stripe.com/api/customer_portal/configurations */
const mostRecurring = 10;

/** Every offer that was ever added, the oldest first. */
export const allOffers = (ctx: Ctx): Promise<OfferRow[]> =>
  ctx.store.db
    .select()
    .from(offers)
    .orderBy(...oldestFirst);

/**
 * Puts an offer on sale, in the shop's currency. Refuses with `offer_exists` an id that any offer ever had, or with
 * `amount_uneven`.
 */
export async function addOffer(ctx: Ctx, { id, ...given }: NewOffer, by: By): Promise<void> {
  authorize(by, "offer.add");
  expectConfirmed(ctx, by, "offer.add");
  const terms = { ...usual, ...given, level: (await levelToGive(ctx, given.level)).id };
  expectPrice(terms.amount, ctx.currency);
  expectSensible(terms);
  const { currency } = ctx;
  const row = { ...terms, id, currency, offerVersion: knownOfferVersion, createdAt: ctx.now() };
  try {
    await commit(ctx.store, [
      ctx.store.db.insert(offers).values(row),
      ...(terms.every === null ? [] : [withinRecurring(ctx)]),
      record(ctx, { ...by, action: "offer.added", subject: id, detail: { ...terms, currency } }),
    ]);
  } catch (error) {
    throw isDuplicate(error, "offers.id") ? new Refusal("offer_exists") : error;
  }
}

/**
 * Changes an offer for later checkouts; earlier ones keep their terms. Refuses with `currency_unsupported` to keep a
 * price that was set in another currency, with `amount_uneven`, and with `offer_unknown`, also for an offer that only a
 * newer release can sell.
 */
export async function changeOffer(ctx: Ctx, id: string, change: Partial<Terms>, by: By): Promise<Terms> {
  authorize(by, "offer.change");
  const { version, offerVersion, currency, ...was } = await offerNamed(ctx, id);
  const { name, level, hidden, amount, days, devices, every, trialDays } = was;
  expectConfirmed(ctx, by, "offer.change");
  if (offerVersion > knownOfferVersion) {
    const sentence = "A newer release made this offer. Change it when that release runs.";
    throw new Refusal("offer_unknown", { sentence });
  }
  if (currency !== ctx.currency && change.amount === undefined) {
    const sentence = `Its price is ${money(amount, currency)}, and the shop sells in ${ctx.currency.toUpperCase()}. Enter its new price too.`;
    throw new Refusal("currency_unsupported", { field: "amount", sentence });
  }
  const before = { name, level, hidden, amount, days, devices, every, trialDays };
  const terms = { ...before, ...change };
  if (terms.level !== level) await levelToGive(ctx, terms.level);
  expectPrice(terms.amount, ctx.currency);
  expectSensible(terms);
  await commit(ctx.store, [
    ctx.store.db
      .update(offers)
      .set({ ...terms, currency: ctx.currency, offerVersion: knownOfferVersion, version: version + 1 })
      .where(and(eq(offers.id, id), eq(offers.version, version), isNull(offers.retiredAt))),
    mustHaveChanged("conflict"),
    ...(terms.hidden === hidden && terms.level === level ? [] : [stillSelling(ctx)]),
    record(ctx, {
      ...by,
      action: "offer.changed",
      subject: id,
      detail: {
        before: { ...before, currency },
        after: { ...terms, currency: ctx.currency },
      },
    }),
  ]);
  return terms;
}

/** A subscription runs as long as it is paid, so it has no days of its own; without payments there is nothing to try. */
function expectSensible({ days, every, trialDays }: Terms): void {
  if (every !== null && days !== null) {
    const sentence = "A subscription lasts as long as it's paid, so leave days out.";
    throw new Refusal("invalid_field", { field: "days", sentence });
  }
  if (every === null && trialDays !== null) {
    throw new Refusal("invalid_field", { field: "trial_days", sentence: "Only a subscription has a trial." });
  }
}

/** Fails a commit that leaves more recurring offers on sale than Stripe's page for customers takes. */
const withinRecurring = ({ store: { db } }: Ctx): Write =>
  mustNotExist(
    db
      .select({ many: count() })
      .from(offers)
      .where(and(isNotNull(offers.every), isNull(offers.retiredAt)))
      .having(sql`count(*) > ${mostRecurring}`),
    "recurring_offers_full",
    {},
  );

/** Takes an offer off sale for good. Refuses with `last_offer` the only one that is on sale. */
export async function retireOffer(ctx: Ctx, id: string, by: By): Promise<void> {
  authorize(by, "offer.retire");
  const { version } = await offerNamed(ctx, id);
  expectConfirmed(ctx, by, "offer.retire");
  await commit(ctx.store, [
    ctx.store.db
      .update(offers)
      .set({ retiredAt: ctx.now(), version: version + 1 })
      .where(and(eq(offers.id, id), eq(offers.version, version))),
    mustHaveChanged("conflict"),
    stillSelling(ctx),
    record(ctx, { ...by, action: "offer.retired", subject: id }),
  ]);
}

/** Fails a commit that leaves no offer on sale that everybody sees. */
export const stillSelling = (ctx: Ctx, detail?: RefusalDetail): Write =>
  mustNotExist(
    ctx.store.db
      .select({ many: count() })
      .from(offers)
      .where(and(eq(offers.hidden, false), onSale(ctx)))
      .having(sql`count(*) = 0`),
    "last_offer",
    detail,
  );

async function offerNamed(ctx: Ctx, id: string): Promise<OfferRow> {
  const [found] = await ctx.store.db
    .select()
    .from(offers)
    .where(and(eq(offers.id, id), isNull(offers.retiredAt)));
  if (!found) throw new Refusal("offer_unknown", { subject: true });
  return found;
}
