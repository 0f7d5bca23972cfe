import type { PurchaseResult } from "@/contract/wire/payments";
import { isWholeKey } from "./facts";

type Keys = Partial<Pick<PurchaseResult, "license_key" | "license_keys" | "unusable_keys">>;

/** Whether a refund, a dispute or support ended or paused the key at that place. */
export const isUnusable = ({ unusable_keys: unusable }: Keys, at: number) => unusable?.includes(at) ?? false;

/** A single key that its viewer can read and use; null if there is none, or several. */
export function readyKey(payment: Keys | undefined): string | null {
  const key = payment?.license_key;
  const several = (payment?.license_keys?.length ?? 1) > 1;
  return isWholeKey(key) && !several && !isUnusable(payment ?? {}, 0) ? key : null;
}

/** Whether the viewer can read and use one of several keys. */
export const areReadyKeys = (payment: Keys | undefined): boolean =>
  (payment?.license_keys?.length ?? 0) > 1 &&
  (payment?.license_keys ?? []).some((key, at) => isWholeKey(key) && !isUnusable(payment ?? {}, at));
