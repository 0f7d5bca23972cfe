import { and, asc, eq, gt } from "drizzle-orm";
import { commitIfFirst } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { atBackgroundPace } from "@/core/base/yield";
import { accounts } from "../../schema/accounts";
import { endsRule, endWrites, readAccountLicences } from "../entitlement/account-licences";

const pageSize = 100;

/**
 * Ends that were computed in the other Stripe mode count other licences. Recomputes each account once, unless a commit
 * that changed its time has.
 */
export async function backfillEnds(ctx: Ctx, stopping?: AbortSignal): Promise<void> {
  const other = endsRule({ livemode: !ctx.livemode });
  for (let after = ""; !stopping?.aborted;) {
    const page = await ctx.store.db
      .select({ id: accounts.id })
      .from(accounts)
      .where(and(eq(accounts.endsRule, other), gt(accounts.id, after)))
      .orderBy(asc(accounts.id))
      .limit(pageSize);
    for (const { id } of page) await atBackgroundPace(() => recompute(ctx, id));
    after = page.at(-1)?.id ?? "";
    if (page.length < pageSize) break;
  }
}

/** Does nothing if another commit came in between; this or the next run of the job reads the account again. */
async function recompute(ctx: Ctx, accountId: string): Promise<void> {
  const held = await readAccountLicences(ctx, accountId);
  if (held && held.endsRule !== endsRule(ctx))
    await commitIfFirst(ctx.store, endWrites(ctx, held, held.licences).writes);
}
