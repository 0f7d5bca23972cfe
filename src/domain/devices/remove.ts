import { and, eq, inArray } from "drizzle-orm";
import { utcDay } from "@/contract/vocabulary/dates";
import { counted, day, hour, minute } from "@/contract/vocabulary/time";
import type { By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, mustHaveChanged, retryOnConflict, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { type Requester, mustBeSignedIn } from "../accounts/sessions/account";
import { notify } from "../accounts/sessions/notices";
import { logSecurity } from "../accounts/sessions/security-log";
import { authorize } from "../permissions";
import { devices } from "../schema/devices";
import { isRemovable, noteRemovals } from "./removals";
import { earliest, type KeptDevice, removableTogether, type Seats } from "./seats";
import { seatsOf } from "./read";

/** Computers per commit, since each is several statements. */
const atOnce = 100;

/**
 * Removes one of the account's computers, so that another can take its seat. Refuses with `device_unknown`, or with
 * `hwid_cooldown` and the time from which it is possible.
 */
export const removeDevice = (ctx: Ctx, requester: Requester, id: string): Promise<void> =>
  retryOnConflict(async () => {
    authorize(requester, "device.reset");
    const now = await seatsOf(ctx, requester.account.id);
    const device = now.devices.find((one) => one.id === id);
    if (!device) throw new Refusal("device_unknown");
    expectRemovable([device], ctx.now(), "This computer can be removed");
    await commit(ctx.store, removal(ctx, requester, now, [device]));
  });

/**
 * Removes as many of the account's computers as may be removed, those last seen at the end. Refuses with `hwid_not_set`, or
 * with `hwid_cooldown` and the time from which the first may be.
 */
export async function resetDevices(ctx: Ctx, requester: Requester): Promise<void> {
  authorize(requester, "device.reset");
  let [first, more] = [true, true];
  while (more) {
    more = await retryOnConflict(async () => {
      const now = await seatsOf(ctx, requester.account.id);
      const { devices: kept } = now;
      const removable = removableTogether(now);
      if (first && kept.length === 0) throw new Refusal("hwid_not_set");
      if (first) expectRemovable(kept, ctx.now(), "Hardware ID can be reset again");
      const batch = removable.slice(0, atOnce);
      if (batch.length > 0) await commit(ctx.store, removal(ctx, requester, now, batch));
      return removable.length > atOnce;
    });
    first = false;
  }
}

function removal(ctx: Ctx, requester: Requester, now: Seats, removed: KeptDevice[]): Write[] {
  const { account, browser } = requester;
  const { seats, devices: kept } = now;
  const what = seats > 1 || kept.length > 1 ? "devices-removed" : "device-reset";
  return [
    ...mustBeSignedIn(ctx, requester),
    ...removed.flatMap((device) => [
      ctx.store.db.delete(devices).where(and(eq(devices.id, device.id), isRemovable(ctx))),
      mustHaveChanged("conflict"),
    ]),
    ...noteRemovals(ctx, now, removed),
    logSecurity(ctx, {
      code: "device.reset",
      accountId: account.id,
      browser,
      computers: removed.map(({ id }) => id),
    }),
    ...notify(ctx, account, { what, browser }),
  ];
}

/**
 * Removes an account's computers, or the one with this id; it doesn't count as a removal of their owner's.
 * Refuses with `hwid_not_set`.
 */
export const unbindDevice = (ctx: Ctx, accountId: string, by: By, device?: string): Promise<void> =>
  retryOnConflict(async () => {
    authorize(by, "device.unbind");
    const ofAccount = eq(devices.accountId, accountId);
    const wanted = device === undefined ? ofAccount : and(ofAccount, eq(devices.id, device));
    const found = await ctx.store.db.select({ id: devices.id }).from(devices).where(wanted);
    const computers = found.map(({ id }) => id);
    if (computers.length === 0) throw new Refusal("hwid_not_set");
    await commit(ctx.store, [
      ctx.store.db.delete(devices).where(inArray(devices.id, computers)),
      mustHaveChanged("conflict"),
      record(ctx, {
        ...by,
        action: "device.reset_by_staff",
        subject: accountId,
        accountId,
        detail: { computers },
      }),
    ]);
  });

/** Refuses unless one of these computers may be removed now. */
function expectRemovable(kept: KeptDevice[], now: Date, what: string): void {
  const availableAt = earliest(kept.map(({ removableAt }) => removableAt));
  if (!availableAt) return;
  const left = formatDuration(availableAt.getTime() - now.getTime());
  const sentence = `${what} on ${utcDay(availableAt)} (in ${left}).`;
  throw new Refusal("hwid_cooldown", { sentence, availableAt });
}

/** Rounded up, so that a reset is possible at the shown time. */
function formatDuration(milliseconds: number): string {
  const [count, unit] =
    milliseconds > day
      ? [Math.ceil(milliseconds / day), "day"]
      : milliseconds > hour
        ? [Math.ceil(milliseconds / hour), "hour"]
        : [Math.ceil(milliseconds / minute), "minute"];
  return counted(count, unit);
}
