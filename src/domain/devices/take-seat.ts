import { and, eq, gt, isNotNull, sql } from "drizzle-orm";
import type { DeviceCause } from "@/contract/vocabulary/devices";
import type { Actor } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, mustHaveChanged, mustNotExist, retryOnConflict, type Write } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { enqueue } from "@/core/jobs/outbox";
import { Refusal } from "@/core/base/refusal";
import { accounts } from "../schema/accounts";
import { type Device, devices } from "../schema/devices";
import { type Computer, hashOf } from "../blocks/hashes";
import { isBlocked } from "../blocks/find";
import { deviceAddedEmail } from "./emails/device-added";
import { isRemovable, noteRemovals } from "./removals";
import {
  chooseSeat,
  firstSeatFreeAt,
  hasFile,
  type KeptDevice,
  type Removal,
  removalsOf,
  type Seats,
  type Slot,
} from "./seats";
import { countSeats, type SeatHolder, findDeviceAndSeats, type DeviceAndSeats } from "./read";

/** What the shop learns of a computer. `version` is the application's; null for a computer that is never online. */
type Machine = Computer & { label: string; os: string; version: string | null };

/** How a computer is given its seat. */
type TakeOptions = {
  actor: Actor;
  cause: DeviceCause;
  /** What {@link findDeviceAndSeats} has just found, where it was asked already. */
  read?: DeviceAndSeats;
  /** The end of the offline file that is made for it; without it, none is made. */
  fileUntil?: (taken: TakenSeat) => Date;
  /** What else is written with it, once its id is known. */
  also?: (taken: TakenSeat) => Write[];
};

/** A computer that has a seat, all that then have one, and the removals that then count. */
export type TakenSeat = { id: string; kept: Slot[]; removals: Removal[] };

/** `availableAt`: when the first seat may be freed; null: now. */
type TakeResult = TakenSeat | { id: null; availableAt: Date | null };

/**
 * Gives a computer a seat: the one it has, a free one, or that of a deactivated computer, which counts as removing it.
 * Of computers that race for the last seat, one gets it. Refuses with `unauthenticated` if the account is gone.
 */
export const takeSeat = (
  ctx: Ctx,
  owner: SeatHolder,
  machine: Machine,
  taking: TakeOptions,
): Promise<TakeResult> =>
  retryOnConflict(async (again) => {
    const { found, now } = (again ? null : taking.read) ?? (await findDeviceAndSeats(ctx, owner, machine));
    const active = now.devices.filter((device) => device.active);
    if (found?.active) {
      const { device } = found;
      const seated = { id: device.id, kept: active, removals: now.removals };
      await commit(ctx.store, [
        ...seenAgain(ctx, { device, seated, now }, machine, taking),
        ...(taking.also?.(seated) ?? []),
      ]);
      return seated;
    }
    if (found) return { id: null, availableAt: firstSeatFreeAt(now) };
    const choice = chooseSeat(now);
    if (!choice.hasSeat) return { id: null, availableAt: choice.availableAt };
    const { replaces } = choice;
    const row = newRow(ctx, now, machine);
    const seated = {
      id: row.id,
      kept: [...active.filter(({ id }) => id !== replaces?.id), row],
      removals: [...now.removals, ...removalsOf(now, replaces ? [replaces] : [], ctx.now())],
    };
    const offlineUntil = taking.fileUntil?.(seated) ?? null;
    const offlineSince = offlineUntil && newestFile(ctx, now);
    await commit(ctx.store, [
      ...accountStands(ctx, owner.accountId),
      noneCame(ctx, now),
      ...noFileCame(ctx, now, taking),
      ...(replaces ? givesWay(ctx, now, replaces) : []),
      // fails if another computer came first
      ctx.store.db
        .insert(devices)
        .values({ ...row, offlineUntil, offlineSince })
        .onConflictDoNothing(),
      mustHaveChanged("conflict"),
      addedEntry(ctx, row, taking, replaces),
      enqueue(ctx, { topic: deviceAddedEmail, subject: row.id }),
      ...(taking.also?.(seated) ?? []),
    ]);
    return seated;
  });

const newRow = (ctx: Ctx, { accountId, devices: kept }: Seats<Slot>, machine: Machine) => ({
  id: newId(),
  accountId,
  computerHash: hashOf(ctx, machine),
  label: machine.label,
  os: machine.os,
  version: machine.version,
  firstSeenAt: afterAll(
    ctx,
    kept.map((one) => one.firstSeenAt),
  ),
  lastSeenAt: ctx.now(),
  deactivatedAt: null,
  offlineUntil: null,
  offlineSince: null,
  doubted: false,
});

/** Now, but after these times, whatever the clocks of several processes say. */
const afterAll = (ctx: Ctx, times: Date[]) =>
  new Date(Math.max(ctx.now().getTime(), ...times.map((at) => at.getTime() + 1)));

const filesOf = (kept: Slot[]): Date[] => kept.flatMap(({ offlineSince }) => offlineSince ?? []);

const newestFile = (ctx: Ctx, { devices: kept }: Seats<Slot>) => afterAll(ctx, filesOf(kept));

/** A kept computer that is seen again: updates what it reports, but not a name that the owner chose. */
function seenAgain(
  ctx: Ctx,
  { device, seated, now }: { device: Device; seated: TakenSeat; now: Seats<Slot> },
  machine: Machine,
  taking: TakeOptions,
): Write[] {
  const { cause, fileUntil } = taking;
  const { os, version } = machine;
  const offlineSince = hasFile(device, ctx.now()) ? device.offlineSince : newestFile(ctx, now);
  return [
    ...noFileCame(ctx, now, taking),
    ctx.store.db
      .update(devices)
      .set({
        computerHash: hashOf(ctx, machine),
        label: sql`CASE WHEN ${devices.renamed} THEN ${devices.label} ELSE ${machine.label} END`,
        os,
        ...(version === null ? {} : { version }),
        ...(fileUntil ? { offlineUntil: laterOf(fileUntil(seated)), offlineSince } : {}),
        // it gets a `VALID` answer only where the application activates it
        ...(cause === "application" ? { lastSeenAt: ctx.now() } : {}),
        deactivatedAt: null,
      })
      .where(eq(devices.id, device.id)),
    mustHaveChanged("conflict"),
  ];
}

/** An earlier file may run longer than the new one. */
const laterOf = (until: Date) =>
  sql`max(coalesce(${devices.offlineUntil}, 0), ${sql.param(until, devices.offlineUntil)})`;

/** The account may have been erased meanwhile. */
const accountStands = ({ store: { db } }: Ctx, accountId: string): Write[] => [
  db
    .update(accounts)
    .set({ deviceResetAt: sql`${accounts.deviceResetAt}` })
    .where(eq(accounts.id, accountId)),
  mustHaveChanged("unauthenticated"),
];

/** Fails if another computer took a seat since the seats were read: the order of computers decides what each has. */
const noneCame = ({ store: { db } }: Ctx, { accountId, devices: kept }: Seats<Slot>): Write =>
  mustNotExist(
    db
      .select({ one: sql`1` })
      .from(devices)
      .where(eq(devices.accountId, accountId))
      .limit(1)
      .offset(kept.length),
    "conflict",
    {},
  );

/** The same of a computer that was given an offline file, before another is. */
const noFileCame = (
  { store: { db } }: Ctx,
  { accountId, devices: kept }: Seats<Slot>,
  { fileUntil }: TakeOptions,
): Write[] => {
  const newest = new Date(Math.max(0, ...filesOf(kept).map((at) => at.getTime())));
  const isNewer = and(eq(devices.accountId, accountId), gt(devices.offlineSince, newest));
  const found = db
    .select({ one: sql`1` })
    .from(devices)
    .where(isNewer)
    .limit(1);
  return fileUntil ? [mustNotExist(found, "conflict")] : [];
};

const givesWay = (ctx: Ctx, now: Seats<Slot>, device: KeptDevice<Slot>): Write[] => [
  ctx.store.db
    .delete(devices)
    .where(and(eq(devices.id, device.id), isNotNull(devices.deactivatedAt), isRemovable(ctx))),
  mustHaveChanged("conflict"),
  ...noteRemovals(ctx, now, [device]),
];

function addedEntry(
  ctx: Ctx,
  { id, accountId }: { id: string; accountId: string },
  taking: TakeOptions,
  replaced: Slot | null,
) {
  const { actor, cause } = taking;
  const event = { actor, subject: accountId, accountId };
  return replaced
    ? record(ctx, {
        ...event,
        action: "device.moved",
        detail: { computer: id, cause, replaced: replaced.id },
      })
    : record(ctx, { ...event, action: "device.bound", detail: { computer: id, cause } });
}

/**
 * Refuses unless an account could give this computer a seat now: with `license_required`, `blocked`, or `places_full`
 * and the time from which a seat may be freed.
 */
export async function expectSeat(ctx: Ctx, accountId: string, computer: Computer): Promise<void> {
  const owner = { accountId, seats: await countSeats(ctx, accountId) };
  if (owner.seats === 0) throw new Refusal("license_required", { sentence: noLicence });
  if (await isBlocked(ctx, computer)) throw new Refusal("blocked", { blocked: "device" });
  const { found, now } = await findDeviceAndSeats(ctx, owner, computer);
  if (found?.active) return;
  if (found) throw seatsFull(firstSeatFreeAt(now));
  const choice = chooseSeat(now);
  if (!choice.hasSeat) throw seatsFull(choice.availableAt);
}

const noLicence = "This needs an account with a license.";

/** The refusal of a computer for which no seat is left; `availableAt` is when the first may be freed, null for now. */
export const seatsFull = (availableAt: Date | null) =>
  new Refusal("places_full", availableAt ? { availableAt } : {});
