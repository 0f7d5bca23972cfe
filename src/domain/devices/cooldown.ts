import { isNull, lte, or, type SQL } from "drizzle-orm";
import { deviceResetDays } from "@/contract/devices";
import { day } from "@/contract/time";
import { accounts } from "../schema/accounts";

const cooldownMilliseconds = deviceResetDays * day;

/** When the owner may next reset the device; null if now. */
export function resetAvailableAt(lastReset: Date | null, now: Date): Date | null {
  if (!lastReset) return null;
  const at = new Date(lastReset.getTime() + cooldownMilliseconds);
  return at > now ? at : null;
}

/** The same rule as a condition on `accounts`, so that only one of two racing resets succeeds. */
export const cooledDown = (now: Date): SQL | undefined =>
  or(
    isNull(accounts.deviceResetAt),
    lte(accounts.deviceResetAt, new Date(now.getTime() - cooldownMilliseconds)),
  );
