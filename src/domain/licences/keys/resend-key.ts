import { and, desc, eq, isNotNull } from "drizzle-orm";
import type { By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { enqueue } from "@/core/jobs/outbox";
import { Refusal } from "@/core/base/refusal";
import { expectNoCopy } from "@/core/database/restored-copy";
import { authorize } from "../../permissions";
import { entitles } from "../entitlement/entitlement";
import { accounts } from "../../schema/accounts";
import { licences } from "../../schema/licences";
import { licenceKeyEmail } from "../emails/licence-key";

/** Each key is sent in its own email. */
const mostAtOnce = 100;

const sentence = "Nobody has confirmed the account's address, so no key is mailed there.";

/**
 * Mails an account's active keys again, the hundred redeemed last, to its own address. Refuses with `license_required`
 * if it has none, with `email_unconfirmed`, and with `copy` on a restored copy.
 */
export async function resendKeys(ctx: Ctx, accountId: string, by: By): Promise<number> {
  authorize(by, "licence.resend_key");
  await expectNoCopy(ctx);
  const confirmed = and(eq(accounts.id, accountId), isNotNull(accounts.emailConfirmedAt));
  if ((await ctx.store.db.$count(accounts, confirmed)) === 0)
    throw new Refusal("email_unconfirmed", { sentence });
  const active = await ctx.store.db
    .select({ id: licences.id })
    .from(licences)
    .where(and(eq(licences.accountId, accountId), entitles(ctx, ctx.now())))
    .orderBy(desc(licences.redeemedAt), desc(licences.id))
    .limit(mostAtOnce);
  if (active.length === 0) throw new Refusal("license_required");
  await commit(ctx.store, [
    ...active.map(({ id }) => enqueue(ctx, { topic: licenceKeyEmail, subject: id })),
    record(ctx, { ...by, action: "licence.key_resent", subject: accountId, accountId }),
  ]);
  return active.length;
}
