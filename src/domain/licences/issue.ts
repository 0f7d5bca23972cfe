import { sql } from "drizzle-orm";
import type { Write } from "@/core/commit";
import { type Ctx, newId } from "@/core/context";
import { preparedWrite } from "@/core/prepared-write";
import { keyHash, soldKey } from "./keys";
import { licences, type PaymentStanding } from "../schema/licences";

export type Issue = {
  /** Made where the commit needs none. */
  id?: string;
  key: string;
  type: string;
  /** Counted from redemption; null is a lifetime. */
  days: number | null;
  paymentId?: string;
  livemode?: boolean;
  standing?: PaymentStanding;
};

/** The row of a new licence, for the commit that causes it. Issuing the same key again does nothing. */
export const issue = (ctx: Ctx, wanted: Issue): Write =>
  ctx.store.db.insert(licences).values(rowOf(ctx, wanted)).onConflictDoNothing();

function rowOf(ctx: Ctx, wanted: Issue) {
  const id = wanted.id ?? newId();
  return {
    id,
    keyHash: keyHash(ctx, wanted.key),
    keySealed: ctx.secrets.seal(wanted.key, sealContext(id)),
    type: wanted.type,
    days: wanted.days,
    paymentId: wanted.paymentId ?? null,
    paymentStanding: wanted.standing ?? "good",
    livemode: wanted.livemode ?? null,
    createdAt: ctx.now(),
  };
}

type Sale = Required<Pick<Issue, "paymentId" | "type" | "standing" | "livemode">> & { sessionId: string };

/**
 * The licence of a paid order: made if there is none, and brought to the payment's standing if there
 * is. One statement that can't leave a paid order without its licence: a key that another payment
 * holds already makes the commit fail.
 */
export const issueSold = (ctx: Ctx, { sessionId, ...sale }: Sale): Write =>
  upsert(ctx.store, rowOf(ctx, { ...sale, key: soldKey(ctx, sessionId), days: null }));

const upsert = preparedWrite((db) =>
  db
    .insert(licences)
    .values({
      id: sql.placeholder("id"),
      keyHash: sql.placeholder("keyHash"),
      keySealed: sql.placeholder("keySealed"),
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
  ctx.secrets.open(licence.keySealed, sealContext(licence.id));

/** What a licence's row holds of its key. */
export const sealedKey = (ctx: Ctx, id: string, key: string) => ({
  keyHash: keyHash(ctx, key),
  keySealed: ctx.secrets.seal(key, sealContext(id)),
});

const sealContext = (id: string) => `licence:${id}`;
