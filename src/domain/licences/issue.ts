import type { Write } from "@/core/commit";
import { type Ctx, newId } from "@/core/context";
import { keyHash, soldKey } from "./keys";
import { licences, type PaymentStanding } from "./tables";

export type Issue = {
  key: string;
  type: string;
  /** Counted from redemption; null is a lifetime. */
  days: number | null;
  paymentId?: string;
  standing?: PaymentStanding;
};

/** The row of a new licence, for the commit that causes it. Issuing the same key again does nothing. */
export const issue = (ctx: Ctx, wanted: Issue): Write => newLicence(ctx, wanted).onConflictDoNothing();

function newLicence(ctx: Ctx, wanted: Issue) {
  const id = newId();
  return ctx.store.db.insert(licences).values({
    id,
    keyHash: keyHash(ctx, wanted.key),
    keySealed: ctx.secrets.seal(wanted.key, sealContext(id)),
    type: wanted.type,
    days: wanted.days,
    paymentId: wanted.paymentId ?? null,
    paymentStanding: wanted.standing ?? "good",
    createdAt: ctx.now(),
  });
}

type Sale = { sessionId: string; paymentId: string; type: string; standing: PaymentStanding };

/**
 * The licence of a paid order: made if there is none, and brought to the payment's standing if there
 * is. One statement that can't leave a paid order without its licence: a key that another payment
 * holds already makes the commit fail.
 */
export const issueSold = (ctx: Ctx, { sessionId, paymentId, type, standing }: Sale): Write =>
  newLicence(ctx, { key: soldKey(ctx, sessionId), type, days: null, paymentId, standing }).onConflictDoUpdate(
    {
      target: licences.paymentId,
      set: { paymentStanding: standing },
    },
  );

/** The whole key of a stored licence. Show it only to its owner. */
export const keyOf = (ctx: Ctx, licence: Pick<typeof licences.$inferSelect, "id" | "keySealed">) =>
  ctx.secrets.open(licence.keySealed, sealContext(licence.id));

const sealContext = (id: string) => `licence:${id}`;
