import { desc, eq } from "drizzle-orm";
import type { LicenceDetails } from "@/contract/wire/desk/details";
import type { Actor } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { pageRows } from "@/core/database/pages";
import { Refusal } from "@/core/base/refusal";
import { authorize } from "../permissions";
import { licenceExtensions, licences } from "../schema/licences";
import { timelineOf } from "./audit";
import { licenceRows } from "./licences";
import { paymentRows } from "./payments";

/** What staff see of a licence, the payment that bought it, and its history. Refuses with `not_found`. */
export async function licenceDetails(ctx: Ctx, actor: Actor, id: string): Promise<LicenceDetails> {
  authorize(actor, "desk.read");
  const [licence] = await ctx.store.db.select().from(licences).where(eq(licences.id, id));
  const [row] = await licenceRows(ctx, [id]);
  if (!licence || !row) throw new Refusal("not_found", { sentence: "There is no such license." });
  const bought = row.payment === null ? [] : await paymentRows(ctx, [row.payment]);
  return {
    ...row,
    suspended_at: licence.suspendedAt?.toISOString() ?? null,
    revoked_at: licence.revokedAt?.toISOString() ?? null,
    extensions: await extensionsOf(ctx, id),
    bought_with: bought[0] ?? null,
    timeline: await timelineOf(ctx, [
      { kind: "licence", id },
      ...bought.map((payment) => ({ kind: "payment", id: payment.id })),
    ]),
  };
}

async function extensionsOf({ store: { db } }: Ctx, licenceId: string) {
  const { days, addedAt } = licenceExtensions;
  const rows = await db
    .select({ days, addedAt })
    .from(licenceExtensions)
    .where(eq(licenceExtensions.licenceId, licenceId))
    .orderBy(desc(addedAt))
    .limit(pageRows);
  return rows.map((row) => ({ days: row.days, added_at: row.addedAt.toISOString() }));
}
