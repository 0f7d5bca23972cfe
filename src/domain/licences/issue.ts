import type { Write } from "@/core/commit";
import { type Ctx, newId } from "@/core/context";
import { keyHash } from "./keys";
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
export function issue(ctx: Ctx, wanted: Issue): Write {
  const id = newId();
  return ctx.store.db
    .insert(licences)
    .values({
      id,
      keyHash: keyHash(ctx, wanted.key),
      keySealed: ctx.secrets.seal(wanted.key, sealContext(id)),
      type: wanted.type,
      days: wanted.days,
      paymentId: wanted.paymentId ?? null,
      paymentStanding: wanted.standing ?? "good",
      createdAt: ctx.now(),
    })
    .onConflictDoNothing();
}

/** The whole key of a stored licence. Show it only to its owner. */
export const keyOf = (ctx: Ctx, licence: Pick<typeof licences.$inferSelect, "id" | "keySealed">) =>
  ctx.secrets.open(licence.keySealed, sealContext(licence.id));

const sealContext = (id: string) => `licence:${id}`;
