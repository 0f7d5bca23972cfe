import { brand } from "@/brand/brand";
import type { By } from "@/core/base/actor";
import { commit, retryOnConflict } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { enqueue } from "@/core/jobs/outbox";
import { Refusal } from "@/core/base/refusal";
import { expectNoCopy } from "@/core/database/restored-copy";
import type { Account } from "../accounts/sessions/account";
import { licenceGrantedEmail } from "../licences/emails/licence-key";
import { readAccountLicences } from "../licences/entitlement/account-licences";
import { issueWrites } from "../licences/keys/hand-out";
import { randomKey } from "../licences/keys/keys";
import { addIssuedWrites, lifetimeDevices } from "../licences/changes/redeem";
import { holdsSubscription } from "../licences/entitlement/subscriptions";
import { authorize, expectConfirmed } from "../permissions";
import { offerToGive } from "./list";

/**
 * Gives an account a licence of an offer without a payment: issues it, adds it to the account at once, and mails its
 * owner. Resolves to the licence's id. Refuses as {@link offerToGive}, and with `license_pointless` beside a lifetime
 * for as many computers, `subscription_running` for days beside a subscription, and `copy` on a restored
 * copy.
 */
export async function grantLicence(
  ctx: Ctx,
  account: Pick<Account, "id">,
  offer: string,
  by: By,
): Promise<string> {
  authorize(by, "licence.grant");
  expectConfirmed(ctx, by, "licence.grant");
  const { days, devices } = await offerToGive(ctx, offer);
  await expectNoCopy(ctx);
  return retryOnConflict(async () => {
    const owned = await readAccountLicences(ctx, account.id);
    if (!owned) throw new Refusal("not_found");
    if (devices <= lifetimeDevices(ctx, owned.licences)) throw new Refusal("license_pointless");
    if (days !== null && (await holdsSubscription(ctx, account.id))) {
      const sentence = "Their subscription is still running, so the days would be used up alongside it.";
      throw new Refusal("subscription_running", { sentence });
    }
    const id = newId();
    await commit(ctx.store, [
      ...issueWrites(ctx, { id, key: randomKey(), type: brand.premium.type, days, devices, offer }, by),
      ...addIssuedWrites(ctx, { id, days }, { owned, by }),
      enqueue(ctx, { topic: licenceGrantedEmail, subject: id }),
    ]);
    return id;
  });
}
