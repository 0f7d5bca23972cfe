import { sql } from "drizzle-orm";
import type { Write } from "@/core/commit";
import { type Ctx, newId } from "@/core/context";
import { preparedWrite } from "@/core/prepared-write";
import { keyHash, keyTail, soldKey } from "./keys";
import { licences, type PaymentStanding } from "../schema/licences";

export type Issue = {
  /** Generated unless the commit needs to know it. */
  id?: string;
  key: string;
  type: string;
  /** Counted from redemption; null is a lifetime. */
  days: number | null;
  paymentId?: string;
  livemode?: boolean;
  standing?: PaymentStanding;
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
    paymentId: wanted.paymentId ?? null,
    paymentStanding: wanted.standing ?? "good",
    livemode: wanted.livemode ?? null,
    createdAt: ctx.now(),
  };
}

type Sale = Required<Pick<Issue, "paymentId" | "type" | "days" | "standing" | "livemode">> & {
  sessionId: string;
};

/**
 * Inserts the licence of a paid order, or brings an existing one to the payment's standing. In one statement, so that
 * a paid order can't end up without its licence: if another payment has the key, the commit fails.
 */
export const issueSold = (ctx: Ctx, { sessionId, ...sale }: Sale): Write =>
  upsert(ctx.store, rowOf(ctx, { ...sale, key: soldKey(ctx, sessionId) }));

const upsert = preparedWrite((db) =>
  db
    .insert(licences)
    .values({
      id: sql.placeholder("id"),
      keyHash: sql.placeholder("keyHash"),
      keySealed: sql.placeholder("keySealed"),
      keyTail: sql.placeholder("keyTail"),
      type: sql.placeholder("type"),
      days: sql.placeholder("days"),
      paymentId: sql.placeholder("paymentId"),
      paymentStanding: sql.placeholder("paymentStanding"),
      livemode: sql.placeholder("livemode"),
      createdAt: sql.placeholder("createdAt"),
    })
    .onConflictDoUpdate({
      target: licences.paymentId,
      set: { paymentStanding: sql`excluded.payment_standing` },
    }),
);

/** The whole key of a stored licence. Show it only to its owner. */
export const keyOf = (ctx: Ctx, licence: Pick<typeof licences.$inferSelect, "id" | "keySealed">) =>
  ctx.secrets.open(licence.keySealed, keyContext(licence.id));

/** The columns that store a licence's key. */
export const sealedKey = (ctx: Ctx, id: string, key: string) => ({
  keyHash: keyHash(ctx, key),
  keySealed: ctx.secrets.seal(key, keyContext(id)),
  keyTail: keyTail(ctx, key),
});

/** Binds a sealed key to its licence. */
const keyContext = (id: string) => `licence:${id}`;
