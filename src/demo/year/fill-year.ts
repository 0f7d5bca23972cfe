import { randomBytes } from "node:crypto";
import { eq, inArray } from "drizzle-orm";
import { operator } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { factOf, keepFact } from "@/core/database/key-values";
import { yieldToEventLoop } from "@/core/base/yield";
import { accountByName } from "@/domain/accounts/sessions/account";
import { hashPassword } from "@/domain/accounts/credentials/passwords";
import { knownOfferVersion } from "@/domain/offers/list";
import { keepLegalText } from "@/domain/payments/checkout/legal-texts";
import { accounts } from "@/domain/schema/accounts";
import { offers } from "@/domain/schema/offers";
import { staff } from "@/domain/schema/staff";
import type { PastSession } from "@/simulators/stripe/control/past";
import { pastSession } from "./at-stripe";
import { debitIn, formerTerms } from "./payment-rows";
import { planYear, type Year } from "./plan";
import { proposeSome } from "./propose";
import { endsOfYear, moment, pastOffers, type PastShop } from "./shop";
import { weekWrites } from "./week-writes";

type Place = {
  ctx: Ctx;
  publicUrl: URL;
  code: PastShop["code"];
  /** Adds them to the Stripe simulator too. */
  addPastSessions: (sessions: PastSession[]) => void;
};

/** When the year ended, in Unix seconds, and how many of its weeks are stored. */
type Progress = { end: number; weeks: number };
const progressFact = "demo_year";

/**
 * Gives the shop and the Stripe simulator a year of sales that ended when the demo first started, week by week, with
 * requests served in between. After an interruption, goes on with the next week. Staff must have accounts.
 */
export async function fillYear(place: Place, goOn: () => void = () => {}): Promise<void> {
  const { ctx } = place;
  const progress = await progressOf(ctx);
  const shop = await pastShop(place, await planYear(progress.end, debitIn(ctx.currency) !== null));
  const { weeks } = shop.year;
  // Stripe may have missed the last week that we stored
  if (progress.weeks > 0) sendToStripe(place, shop, progress.weeks - 1);
  for (let number = progress.weeks; number < weeks.length; number += 1) {
    goOn();
    await yieldToEventLoop();
    const done: Progress = { ...progress, weeks: number + 1 };
    // ours first: reconciliation would import a session that only Stripe knows
    await commit(ctx.store, [
      ...(number === 0
        ? [keepLegalText(ctx, formerTerms), ...offerWrites(shop), ...staffSinceThen(shop)]
        : []),
      ...weekWrites(shop, number),
      keepFact(ctx, progressFact, JSON.stringify(done)),
    ]);
    await yieldToEventLoop();
    sendToStripe(place, shop, number);
  }
  await proposeSome(shop);
}

async function progressOf(ctx: Ctx): Promise<Progress> {
  const kept = await factOf(ctx, progressFact);
  return kept ? (JSON.parse(kept) as Progress) : { end: Math.floor(ctx.now().getTime() / 1000), weeks: 0 };
}

async function pastShop({ ctx, code }: Place, year: Year): Promise<PastShop> {
  const [olga, sam] = await Promise.all([accountByName(ctx, "olga"), accountByName(ctx, "sam")]);
  if (!olga || !sam) throw new Error("the demo's staff have no accounts");
  const sold = { ctx, year, offers: pastOffers(ctx) };
  return {
    ...sold,
    code,
    staff: { olga: olga.id, sam: sam.id },
    passwordHash: await hashPassword(randomBytes(24).toString("base64url"), "operator"),
    ends: endsOfYear(sold),
  };
}

function sendToStripe({ addPastSessions, publicUrl }: Place, shop: PastShop, number: number): void {
  const successUrl = new URL("/success", publicUrl);
  const { orders = [] } = shop.year.weeks[number] ?? {};
  addPastSessions(orders.map((order) => pastSession(shop, order, successUrl)));
}

/** The offer that the shop has retired since, and the times of the others. */
function offerWrites({ ctx, year: { quarter, studioFrom }, offers: past }: PastShop): Write[] {
  const { premium, quarter: offer, studio } = past;
  const { id, name, amount, days } = offer;
  const { currency } = ctx;
  const reason = "the demo's first start";
  const at = (seconds: number) => ({ ...ctx, now: () => moment(seconds) });
  const made = (id: string, seconds: number) =>
    ctx.store.db
      .update(offers)
      .set({ createdAt: moment(seconds) })
      .where(eq(offers.id, id));
  return [
    made(premium.id, quarter.from - 1),
    made(studio.id, studioFrom),
    ctx.store.db.insert(offers).values({
      ...offer,
      level: offer.level.id,
      currency,
      offerVersion: knownOfferVersion,
      createdAt: moment(quarter.from),
      retiredAt: moment(quarter.until),
    }),
    record(at(quarter.from), {
      actor: operator,
      reason,
      action: "offer.added",
      subject: id,
      detail: { name, amount, currency, days, devices: 1 },
    }),
    record(at(quarter.until), { actor: operator, reason, action: "offer.retired", subject: id }),
  ];
}

/** Staff have been there for the whole year. */
function staffSinceThen({ ctx: { store }, year: { quarter }, staff: { olga, sam } }: PastShop): Write[] {
  const createdAt = moment(quarter.from);
  return [
    store.db
      .update(accounts)
      .set({ createdAt })
      .where(inArray(accounts.id, [olga, sam])),
    store.db
      .update(staff)
      .set({ createdAt })
      .where(inArray(staff.accountId, [olga, sam])),
  ];
}
