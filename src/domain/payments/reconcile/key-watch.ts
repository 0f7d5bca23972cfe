import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { reasonOf } from "@/core/log/log";
import type { AccountGateway, KeyPermission } from "../port/account-gateway";
import { CheckoutKeyRefused } from "../port/stripe";
import { clearReportWrite, reportOnce } from "../../notices/report-once";
import { storeMissingPermissions, missingSellingPermissions } from "../checkout/selling-permissions";
import { hasSubscriptions } from "../subscriptions/due-checks";

const refused = "stripe-key";

export type KeyWatch = { check(): Promise<void> };

/**
 * Watches what the Stripe key may do, also whenever Stripe refuses a call for that. Notifies staff once of each missing
 * permission, until it is granted; `changed` is called when the shop may begin or must stop to sell.
 */
export function watchKey(
  ctx: Ctx,
  gateway: Pick<AccountGateway, "permissions" | "whenForbidden">,
  changed: () => Promise<void>,
): KeyWatch {
  let underWay: Promise<void> | null = null;
  // a call that goes on being refused is followed by one try an hour
  const followed = new Set<string>();
  const tryKey = () => (underWay ??= tryNow(ctx, gateway, changed).finally(() => (underWay = null)));

  gateway.whenForbidden((call) => {
    if (underWay || followed.has(call)) return;
    followed.add(call);
    tryKey().catch((error: unknown) => {
      ctx.log.warn("the Stripe key could not be tried", { reason: reasonOf(error) });
    });
  });
  return {
    async check() {
      followed.clear();
      // what was tried before now may have changed
      await underWay?.catch(() => {});
      await tryKey();
    },
  };
}

async function tryNow(
  ctx: Ctx,
  gateway: Pick<AccountGateway, "permissions">,
  changed: () => Promise<void>,
): Promise<void> {
  const lackedThen = await missingSellingPermissions(ctx);
  const permissions = await triedBy(ctx, gateway);
  if (!permissions) return;
  const granted = permissions.filter((one) => one.granted);
  await commit(
    ctx.store,
    [refused, ...granted.map(reportName)].map((about) => clearReportWrite(ctx, about)),
  );
  for (const lacking of permissions.filter((one) => !one.granted)) {
    await reportOnce(ctx, reportName(lacking), {
      kind: "stripe key",
      sentence: missingPermissionSentence(lacking),
    });
  }
  if (!Bun.deepEquals(lackedThen, await missingSellingPermissions(ctx))) await changed();
}

/** Null where Stripe refuses the key itself; notifies staff. */
async function triedBy(ctx: Ctx, gateway: Pick<AccountGateway, "permissions">) {
  try {
    return await permissionsNow(ctx, gateway, { writes: true });
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

/** Which permission the key lacks, and where to grant it. */
export const missingPermissionSentence = ({ name, label, without }: KeyPermission): string =>
  `The Stripe key lacks a permission, so nothing can be bought, and ${without}: grant “${label}” to it in Stripe's dashboard (${name}).`;

/**
 * Tries the key and stores the permissions that it lacks; without `writes`, tests only reading, and leaves the others as
 * they were stored. Throws `CheckoutUnreachable`.
 */
export async function permissionsNow(
  ctx: Ctx,
  gateway: Pick<AccountGateway, "permissions">,
  { writes }: { writes: boolean },
): Promise<KeyPermission[]> {
  const tried = await gateway.permissions({ writes, subscriptions: await hasSubscriptions(ctx) });
  const held = await missingSellingPermissions(ctx);
  const untried = held.filter(({ label }) => !writes && !tried.some((one) => one.label === label));
  const permissions = [...tried, ...untried];
  const toSell = permissions.filter(({ granted }) => !granted);
  if (!Bun.deepEquals(toSell, held)) await commit(ctx.store, [storeMissingPermissions(ctx, toSell)]);
  return permissions;
}
