import { and, asc, eq, type Placeholder, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Ctx } from "@/core/database/context";
import type { Store } from "@/core/database/database";
import { type ActiveLicence, readActiveLicences } from "../licences/entitlement/active";
import { type Device, deviceRemovals, devices } from "../schema/devices";
import { type Computer, hashesOf } from "../blocks/hashes";
import { removalsIn } from "./removals";
import { computeSeats, type Removal, type Seats, type Slot } from "./seats";

/** An account, and how many seats it has. */
export type SeatHolder = { accountId: string; seats: number };

/** An account's seats and the computers on them. */
export async function seatsOf(ctx: Ctx, accountId: string): Promise<Seats> {
  const { db } = ctx.store;
  const owner = { accountId, seats: await countSeats(ctx, accountId) };
  const [kept, removals] = await db.batch([
    db.select().from(devices).where(eq(devices.accountId, accountId)),
    removalsQuery(ctx, accountId),
  ]);
  return seatsFrom(ctx, owner, { kept, removals });
}

/** {@link seatsOf} with only the columns that decide about seats, since an application may ask with every call. */
export async function slotsAmong(ctx: Ctx, owner: SeatHolder): Promise<Seats<Slot>> {
  const { accountId } = owner;
  const { db } = ctx.store;
  const [kept, removals] = await db.batch([slotsIn(db, accountId), removalsQuery(ctx, accountId)]);
  return seatsFrom(ctx, owner, { kept, removals });
}

const slot = {
  id: devices.id,
  accountId: devices.accountId,
  firstSeenAt: devices.firstSeenAt,
  lastSeenAt: devices.lastSeenAt,
  deactivatedAt: devices.deactivatedAt,
  offlineUntil: devices.offlineUntil,
  offlineSince: devices.offlineSince,
  doubted: devices.doubted,
};

const slotsIn = (db: Store["db"], accountId: string) =>
  db.select(slot).from(devices).where(eq(devices.accountId, accountId));

/** The computers that have one of an account's seats, and the removals that count. */
export async function seatedOf(ctx: Ctx, owner: SeatHolder): Promise<{ kept: Slot[]; removals: Removal[] }> {
  const { devices: all, removals } = await slotsAmong(ctx, owner);
  return { kept: all.filter(({ active }) => active), removals };
}

const removalsQuery = ({ store: { db }, now }: Ctx, accountId: string) =>
  db
    .select({ at: deviceRemovals.removedAt, rank: deviceRemovals.rank })
    .from(deviceRemovals)
    .where(removalsIn(accountId, now()))
    .orderBy(asc(deviceRemovals.removedAt));

type SeatRows<D> = { kept: D[]; removals: Removal[] };

const seatsFrom = <D extends Slot>(ctx: Ctx, owner: SeatHolder, { kept, removals }: SeatRows<D>): Seats<D> =>
  computeSeats({ ...owner, devices: kept, removals }, ctx.now());

/** How many seats an account has: the largest number among its active licences. */
export const countSeats = async (ctx: Ctx, accountId: string): Promise<number> =>
  seatsIn(await readActiveLicences(ctx, accountId));

/** {@link countSeats} among active licences. */
export const seatsIn = (active: readonly Pick<ActiveLicence, "devices">[]): number =>
  Math.max(0, ...active.map((licence) => licence.devices));

/** How many computers an account keeps, active or not. */
export const countDevices = ({ store: { db } }: Ctx, accountId: string): Promise<number> =>
  db.$count(devices, eq(devices.accountId, accountId));

/** A kept computer, whether it has a seat, and how many the account keeps. */
export type FoundDevice = { device: Device; active: boolean; kept: number };

/** One of an account's computers; null if the account doesn't keep it. */
export async function findDevice(
  ctx: Ctx,
  owner: SeatHolder,
  computer: Computer,
): Promise<FoundDevice | null> {
  const [found] = await deviceQuery(ctx.store.db, valuesOf(ctx, owner, computer));
  return found ? foundBy(ctx, owner, found) : null;
}

/** What was found of a computer among so many that the account keeps. */
export const foundBy = async (
  ctx: Ctx,
  owner: SeatHolder,
  { device, kept }: { device: Device; kept: number },
): Promise<FoundDevice> => ({
  device,
  kept,
  active: kept <= owner.seats || isActive(await slotsAmong(ctx, owner), device),
});

/** The computer, if the account keeps it, and the seats among which to choose one for it if not. */
export type DeviceAndSeats = { found: FoundDevice | null; now: Seats<Slot> };

/** The same, in one round trip with the account's seats. */
export async function findDeviceAndSeats(
  ctx: Ctx,
  owner: SeatHolder,
  computer: Computer,
): Promise<DeviceAndSeats> {
  const { db } = ctx.store;
  const [[found], kept, removals] = await db.batch([
    deviceQuery(db, valuesOf(ctx, owner, computer)),
    slotsIn(db, owner.accountId),
    removalsQuery(ctx, owner.accountId),
  ]);
  const now = seatsFrom(ctx, owner, { kept, removals });
  return { found: found ? { ...found, active: isActive(now, found.device) } : null, now };
}

const isActive = ({ devices: kept }: Seats<Slot>, { id: one }: Device): boolean =>
  kept.some((device) => device.id === one && device.active);

type Values = Record<"accountId" | "hashes", string | Placeholder>;

/** The values of {@link isComputer}. */
export const valuesOf = (ctx: Ctx, { accountId }: SeatHolder, computer: Computer) => ({
  accountId,
  hashes: JSON.stringify(hashesOf(ctx, computer)),
});

/** The computer's row, and how many the account keeps. */
const deviceQuery = (db: Store["db"], values: Values) =>
  db
    .select({ device: devices, kept: countKeptBy(db) })
    .from(devices)
    .where(isComputer(values))
    .limit(1);

export const isComputer = ({ accountId, hashes }: Values): SQL | undefined =>
  and(
    sql`${devices.accountId} = ${accountId}`,
    sql`${devices.computerHash} IN (SELECT value FROM json_each(${hashes}))`,
  );

/** How many computers the account of the surrounding query's computer keeps. */
export function countKeptBy(db: Store["db"]): SQL<number> {
  const count = db
    .select({ count: sql`count(*)` })
    .from(other)
    .where(eq(other.accountId, devices.accountId));
  return sql<number>`(${count})`;
}

const other = alias(devices, "other");
