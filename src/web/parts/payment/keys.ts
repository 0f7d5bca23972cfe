import type { PurchaseResult } from "@/contract/wire/payments";
import { isWholeKey } from "./facts";

type Keys = Partial<
  Pick<PurchaseResult, "license_key" | "license_keys" | "unusable_keys" | "redeemed_keys" | "for_account">
>;

/** Whether a refund, a dispute or support ended or paused the key at that place. */
export const isUnusable = ({ unusable_keys: unusable }: Keys, at: number) => unusable?.includes(at) ?? false;

/** Whether somebody has redeemed the key at that place. */
export const isRedeemed = ({ redeemed_keys: redeemed }: Keys, at: number) => redeemed?.includes(at) ?? false;

/** Whether nobody can redeem any of the keys any more. */
export function areAllRedeemed(payment: Keys): boolean {
  const { license_keys: keys = [] } = payment;
  return keys.length > 0 && keys.every((_, at) => isRedeemed(payment, at));
}

/** The first key that its viewer can read and somebody can still redeem; null if there is none. */
export function spareKey(payment: Keys | undefined): string | null {
  const { license_key: first, license_keys: keys = first ? [first] : [] } = payment ?? {};
  const isSpare = (key: string, at: number) =>
    isWholeKey(key) && !isUnusable(payment ?? {}, at) && !isRedeemed(payment ?? {}, at);
  return keys.find(isSpare) ?? null;
}

/** Whether an order has several keys, which are a list of their own. */
export const areSeveral = ({ license_keys: keys }: Keys): boolean => (keys?.length ?? 0) > 1;

/** Where an account redeems a key; the page takes it out of its URL at once. */
export const redeemPageWith = (key: string) =>
  `/dashboard/license?${new URLSearchParams({ license_key: key })}`;
