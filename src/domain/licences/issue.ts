import { sql } from "drizzle-orm";
import type { Write } from "@/core/commit";
import { type Ctx, newId } from "@/core/context";
import { preparedWrite } from "@/core/prepared-write";
import { keyHash, keyTail, soldKey } from "./keys";
import { type Licence, licences, type PaymentStatus } from "../schema/licences";

export type Issue = {
  /** Generated unless the commit needs to know it. */
  id?: string;
  key: string;
  type: string;
  /** Counted from redemption; null is a lifetime. */
  days: number | null;
};

/** Inserts a new licence. Issuing the same key again does nothing. */
export const issue = (ctx: Ctx, wanted: Issue): Write =>
  ctx.store.db.insert(licences).values(rowOf(ctx, wanted)).onConflictDoNothing();

function rowOf(ctx: Ctx, wanted: Issue) {
  const id = wanted.id ?? newId();
  return {
    id,
    ...sealedKey(ctx, id, wanted.key),
    type: wanted.type,
    days: wanted.days,
    createdAt: ctx.now(),
  };
}

type Sale = Pick<Issue, "id" | "type" | "days"> & {
  sessionId: string;
  paymentId: string;
  /** Which of the order's licences it is, from 0, and how often its key was replaced. */
  index: number;
  edition: number;
  livemode: boolean;
  paymentStatus: PaymentStatus;
  /** When the payment took its licences away. */
  fellAt: Date | null;
};

/**
 * Inserts a licence of a paid order, or brings an existing one to the payment's standing. In one statement, so that
 * a paid order can't end up without its licence: if another payment has the key, the commit fails.
 */
export function issueSold(
  ctx: Ctx,
  { sessionId, paymentId, paymentStatus, fellAt, livemode, index, edition, ...sale }: Sale,
): Write {
  const row = rowOf(ctx, { ...sale, key: soldKey(ctx, sessionId, index, edition) });
  const payment =
    index === 0
      ? { primaryPaymentId: paymentId, additionalPaymentId: null }
      : { primaryPaymentId: null, additionalPaymentId: paymentId };
  const standingNow = { paymentStatus: paymentStatus, paymentFellAt: fellAt };
  return sold(ctx.store, { ...row, ...payment, index, ...standingNow, livemode });
}

const placeholders = {
  id: sql.placeholder("id"),
  keyHash: sql.placeholder("keyHash"),
  keySealed: sql.placeholder("keySealed"),
  keyTail: sql.placeholder("keyTail"),
  type: sql.placeholder("type"),
  days: sql.placeholder("days"),
  paymentStatus: sql.placeholder("paymentStatus"),
  paymentFellAt: sql.placeholder("paymentFellAt"),
  livemode: sql.placeholder("livemode"),
  createdAt: sql.placeholder("createdAt"),
};
const standingAlone = {
  paymentStatus: sql`excluded.payment_standing`,
  paymentFellAt: sql`excluded.payment_fell_at`,
};

const sold = preparedWrite((db) =>
  db
    .insert(licences)
    .values({
      ...placeholders,
      primaryPaymentId: sql.placeholder("primaryPaymentId"),
      additionalPaymentId: sql.placeholder("additionalPaymentId"),
      paymentIndex: sql.placeholder("index"),
    })
    .onConflictDoUpdate({ target: licences.primaryPaymentId, set: standingAlone })
    .onConflictDoUpdate({
      target: [licences.additionalPaymentId, licences.paymentIndex],
      set: standingAlone,
    }),
);

/** The whole key of a stored licence. Show it only to its owner. */
export const keyOf = (ctx: Ctx, licence: Pick<Licence, "id" | "keySealed">) =>
  ctx.secrets.open(licence.keySealed, keyContext(licence.id));

/** The columns that store a licence's key. */
export const sealedKey = (ctx: Ctx, id: string, key: string) => ({
  keyHash: keyHash(ctx, key),
  keySealed: ctx.secrets.seal(key, keyContext(id)),
  keyTail: keyTail(ctx, key),
});

/** Binds a sealed key to its licence. */
const keyContext = (id: string) => `licence:${id}`;
