import type { By } from "@/core/base/actor";
import { commit, retryOnConflict } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { enqueue } from "@/core/jobs/outbox";
import { Refusal } from "@/core/base/refusal";
import { expectNoCopy } from "@/core/database/restored-copy";
import type { Account } from "../accounts/sessions/account";
import { licenceGrantedEmail } from "../licences/emails/licence-key";
import { issueWrites } from "../licences/keys/hand-out";
import { randomKey } from "../licences/keys/keys";
import { addIssuedWrites } from "../licences/changes/redeem";
import { coveredText, readHoldings, useOf } from "../licences/entitlement/holdings";
import { authorize, expectConfirmed } from "../permissions";
import { offerToGive } from "./list";

/**
 * Gives an account a licence of an offer, or of another level on its terms, without a payment: issues it, adds it to the account at once, and mails its
 * owner. Resolves to the licence's id. Refuses as {@link offerToGive}, and with `license_pointless` beside a lifetime
 * for as many computers, `subscription_running` for days beside a subscription, and `copy` on a restored
 * copy.
 */
export async function grantLicence(
  ctx: Ctx,
  account: Pick<Account, "id">,
  { offer, level: wanted }: { offer: string; level?: string | undefined },
  by: By,
): Promise<string> {
  authorize(by, "licence.grant");
  expectConfirmed(ctx, by, "licence.grant");
  const { level, days, devices } = await offerToGive(ctx, offer, wanted);
  await expectNoCopy(ctx);
  return retryOnConflict(async () => {
    const holdings = await readHoldings(ctx, account.id);
    if (!holdings) throw new Refusal("not_found");
    const given = { level: level.id, devices, days };
    const use = useOf(ctx, holdings, given);
    if (use === "adds nothing") {
      const covered = coveredText(ctx, holdings, given, "They already have");
      throw new Refusal("license_pointless", covered ? { sentence: `${covered}.` } : {});
    }
    if (use === "waits") {
      const sentence = "Their subscription is still running, so the days would be used up alongside it.";
      throw new Refusal("subscription_running", { sentence });
    }
    const id = newId();
    await commit(ctx.store, [
      ...issueWrites(ctx, { id, key: randomKey(), level: level.id, days, devices, offer }, by),
      ...addIssuedWrites(ctx, { id, chain: level.id, days }, { owned: holdings.owned, by }),
      enqueue(ctx, { topic: licenceGrantedEmail, subject: id }),
    ]);
    return id;
  });
}
