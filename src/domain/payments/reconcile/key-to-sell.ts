import { commit } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { factOf, keepFact } from "@/core/key-values";
import { Refusal } from "@/core/refusal";
import type { AccountGateway, KeyPermission } from "../checkout/account-gateway";
import { hasSubscriptions } from "../subscriptions/unended";

const fact = "stripe_key_lacks";

/** Which permission the key lacks, and where to grant it. */
export const lackSentence = ({ name, label, without }: KeyPermission): string =>
  `The Stripe key lacks a permission, so ${without}: grant “${label}” to it in Stripe's dashboard (${name}).`;

/** What the key lacked of what selling needs when it was last tried. */
export async function lackedToSell(ctx: Pick<Ctx, "store">): Promise<KeyPermission[]> {
  return JSON.parse((await factOf(ctx, fact)) ?? "[]") as KeyPermission[];
}

/** Refuses with `stripe_permission` while the key lacks what selling needs. */
export async function expectKeyToSell(ctx: Ctx): Promise<void> {
  if ((await lackedToSell(ctx)).length > 0) throw new Refusal("stripe_permission");
}

/**
 * Tries the key, and keeps what it lacks of what selling needs; without `writes`, what it lacked of those stands. Throws
 * `CheckoutUnreachable`.
 */
export async function permissionsNow(
  ctx: Ctx,
  gateway: Pick<AccountGateway, "permissions">,
  { writes }: { writes: boolean },
): Promise<KeyPermission[]> {
  const tried = await gateway.permissions({ writes, subscriptions: await hasSubscriptions(ctx) });
  const held = await lackedToSell(ctx);
  const untried = held.filter(({ label }) => !writes && !tried.some((one) => one.label === label));
  const permissions = [...tried, ...untried];
  const toSell = JSON.stringify(permissions.filter(({ vital, granted }) => vital && !granted));
  if (toSell !== JSON.stringify(held)) await commit(ctx.store, [keepFact(ctx, fact, toSell)]);
  return permissions;
}
