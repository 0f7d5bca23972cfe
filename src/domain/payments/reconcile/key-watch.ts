import { day } from "@/contract/time";
import { commit } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { type CheckoutGateway, CheckoutKeyRefused, type KeyPermission } from "../checkout/checkout";
import { hasSubscriptions } from "../subscriptions/unended";
import { clearingReport, reportOnce } from "../../notices/report-once";

const refused = "stripe-key";

export type KeyWatch = { check(): Promise<void> };

/** Watches what the Stripe key may do. Notifies staff once of each missing permission, until it is granted. */
export function watchKey(ctx: Ctx, gateway: Pick<CheckoutGateway, "permissions">): KeyWatch {
  // trying a write leaves an error in Stripe's own log: only at the start and once a day
  let writesTriedAt = -Infinity;

  return {
    async check() {
      const now = ctx.now().getTime();
      const writes = now - writesTriedAt >= day;
      const permissions = await triedBy(ctx, gateway, writes);
      if (!permissions) return;
      if (writes) writesTriedAt = now;
      const granted = permissions.filter((one) => one.granted);
      await commit(
        ctx.store,
        [refused, ...granted.map(reportName)].map((about) => clearingReport(ctx, about)),
      );
      for (const lacking of permissions.filter((one) => !one.granted)) {
        await reportOnce(ctx, reportName(lacking), { kind: "stripe key", sentence: lackSentence(lacking) });
      }
    },
  };
}

/** Which permission the key lacks, and where to grant it. */
export const lackSentence = ({ name, label, without }: KeyPermission): string =>
  `The Stripe key lacks a permission, so ${without}: grant “${label}” to it in Stripe's dashboard (${name}).`;

/** Null where Stripe refuses the key itself; notifies staff. */
async function triedBy(ctx: Ctx, gateway: Pick<CheckoutGateway, "permissions">, writes: boolean) {
  try {
    return await gateway.permissions({ writes, subscriptions: await hasSubscriptions(ctx) });
  } catch (error) {
    if (!(error instanceof CheckoutKeyRefused)) throw error;
    const sentence =
      "Stripe refuses STRIPE_SECRET_KEY, so nothing can be bought: take a key from its dashboard, and restart the shop.";
    await reportOnce(ctx, refused, { kind: "stripe key", sentence });
    return null;
  }
}

/** Keyed by label, because Stripe's permission name may differ. */
const reportName = ({ label }: KeyPermission) => `${refused}:${label}`;
