import { and, eq } from "drizzle-orm";
import { utcDay } from "@/contract/dates";
import { day, hour, minute } from "@/contract/time";
import type { By } from "@/core/actor";
import { record } from "@/core/audit";
import { commit, mustHaveChanged } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { Refusal } from "@/core/refusal";
import { type Requester, stillSignedIn } from "../accounts/account";
import { notify } from "../accounts/notices";
import { logSecurity } from "../accounts/security-log";
import { accounts } from "../schema/accounts";
import { deviceOf } from "./bind";
import { cooledDown, resetAvailableAt } from "./cooldown";
import { devices } from "../schema/devices";
import { authorize } from "../permissions";

/**
 * Unbinds the account's device, so that the next activation binds a new one. Refuses with `hwid_not_set`, or with
 * `hwid_cooldown` and the time from which a reset is possible.
 */
export async function resetDevice(ctx: Ctx, requester: Requester): Promise<void> {
  authorize(requester, "device.reset");
  const { account, browser } = requester;
  const { db } = ctx.store;
  const now = ctx.now();
  const device = await deviceOf(ctx, account.id);
  if (!device) throw new Refusal("hwid_not_set");
  expectCooledDown(account.deviceResetAt, now);
  await commit(ctx.store, [
    ...stillSignedIn(ctx, requester),
    db
      .update(accounts)
      .set({ deviceResetAt: now })
      .where(and(eq(accounts.id, account.id), cooledDown(now))),
    mustHaveChanged("hwid_cooldown"),
    db.delete(devices).where(eq(devices.accountId, account.id)),
    mustHaveChanged("hwid_not_set"),
    logSecurity(ctx, { code: "device.reset", accountId: account.id, browser }),
    notify(ctx, account, { what: "device-reset", browser }),
  ]);
}

/**
 * Unbinds an account's device, or the one with this id; it neither needs nor starts the owner's cooldown. Refuses with
 * `hwid_not_set`.
 */
export async function unbindDevice(ctx: Ctx, accountId: string, by: By, device = accountId): Promise<void> {
  authorize(by, "device.unbind");
  // an account has one device, which has its id
  if (device !== accountId) throw new Refusal("hwid_not_set");
  await commit(ctx.store, [
    ctx.store.db.delete(devices).where(eq(devices.accountId, accountId)),
    mustHaveChanged("hwid_not_set"),
    record(ctx, { ...by, action: "device.reset_by_staff", subject: accountId, accountId }),
  ]);
}

function expectCooledDown(lastReset: Date | null, now: Date): void {
  const availableAt = resetAvailableAt(lastReset, now);
  if (!availableAt) return;
  const left = inWords(availableAt.getTime() - now.getTime());
  const sentence = `Hardware ID can be reset again on ${utcDay(availableAt)} (in ${left})`;
  throw new Refusal("hwid_cooldown", { sentence, availableAt });
}

/** Rounded up, so that a reset is possible at the shown time. */
function inWords(milliseconds: number): string {
  const [count, unit] =
    milliseconds > day
      ? [Math.ceil(milliseconds / day), "day"]
      : milliseconds > hour
        ? [Math.ceil(milliseconds / hour), "hour"]
        : [Math.ceil(milliseconds / minute), "minute"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
