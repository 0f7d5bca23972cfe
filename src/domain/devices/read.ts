import { and, desc, eq, type Placeholder, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Ctx } from "@/core/database/context";
import type { Store } from "@/core/database/database";
import { entitles } from "../licences/entitlement/entitlement";
import { type Device, devicePlaces, devices } from "../schema/devices";
import { licences } from "../schema/licences";
import { type Computer, hashesOf } from "../blocks/hashes";
import { judgePlaces, type Places, type Slot } from "./places";

/** An account, and how many places it has. */
export type Owner = { accountId: string; places: number };

/** An account's places and the computers on them. */
export async function placesOf(ctx: Ctx, accountId: string): Promise<Places> {
  const { db } = ctx.store;
  const owner = { accountId, places: await countPlaces(ctx, accountId) };
  const [kept, freed] = await db.batch([
    db.select().from(devices).where(eq(devices.accountId, accountId)),
    freedIn(db, accountId),
  ]);
  return judge(ctx, owner, { kept, freed });
}

/** The same with only what each computer's place depends on, since an application may ask with every call. */
export async function slotsAmong(ctx: Ctx, owner: Owner): Promise<Places<Slot>> {
  const { db } = ctx.store;
  const [kept, freed] = await db.batch([slotsIn(db, owner.accountId), freedIn(db, owner.accountId)]);
  return judge(ctx, owner, { kept, freed });
}

const { id, accountId: ofAccount, place, lastSeenAt, deactivatedAt, offlineUntil, doubted } = devices;

const slotsIn = (db: Store["db"], accountId: string) =>
  db
    .select({ id, accountId: ofAccount, place, lastSeenAt, deactivatedAt, offlineUntil, doubted })
    .from(devices)
    .where(eq(devices.accountId, accountId));

const freedIn = (db: Store["db"], accountId: string) =>
  db.select().from(devicePlaces).where(eq(devicePlaces.accountId, accountId));

type Read<D> = { kept: D[]; freed: (typeof devicePlaces.$inferSelect)[] };

const judge = <D extends Slot>(ctx: Ctx, owner: Owner, { kept, freed }: Read<D>): Places<D> =>
  judgePlaces(
    { ...owner, devices: kept, freed: new Map(freed.map(({ number, freedAt }) => [number, freedAt])) },
    ctx.now(),
  );

/** How many places an account has: the largest number among its active licences. */
export async function countPlaces(ctx: Ctx, accountId: string): Promise<number> {
  const [most] = await ctx.store.db
    .select({ devices: licences.devices })
    .from(licences)
    .where(and(eq(licences.accountId, accountId), entitles(ctx, ctx.now())))
    .orderBy(desc(licences.devices))
    .limit(1);
  return most?.devices ?? 0;
}

/** How many computers an account keeps, active or not. */
export const countDevices = ({ store: { db } }: Ctx, accountId: string): Promise<number> =>
  db.$count(devices, eq(devices.accountId, accountId));

/** A kept computer, and whether it has one of the places that there are. */
export type Found = { device: Device; active: boolean };

/** One of an account's computers; null if the account doesn't keep it. */
export async function findDevice(ctx: Ctx, owner: Owner, computer: Computer): Promise<Found | null> {
  const [found] = await deviceQuery(ctx.store.db, valuesOf(ctx, owner, computer));
  return found ? foundBy(ctx, owner, found) : null;
}

/** What was found of a computer among so many that the account keeps. */
export const foundBy = async (
  ctx: Ctx,
  owner: Owner,
  { device, kept }: { device: Device; kept: number },
): Promise<Found> => ({
  device,
  active: kept <= owner.places || isActive(await slotsAmong(ctx, owner), device),
});

/** The computer, if the account keeps it, and the places among which to choose one for it if not. */
export type Sought = { found: Found | null; now: Places<Slot> };

/** The same, in one round trip with the account's places. */
export async function seek(ctx: Ctx, owner: Owner, computer: Computer): Promise<Sought> {
  const { db } = ctx.store;
  const [[found], kept, freed] = await db.batch([
    deviceQuery(db, valuesOf(ctx, owner, computer)),
    slotsIn(db, owner.accountId),
    freedIn(db, owner.accountId),
  ]);
  const now = judge(ctx, owner, { kept, freed });
  return { found: found ? { device: found.device, active: isActive(now, found.device) } : null, now };
}

const isActive = ({ devices: kept }: Places<Slot>, { id: one }: Device): boolean =>
  kept.some((device) => device.id === one && device.active);

type Values = Record<"accountId" | "hashes", string | Placeholder>;

/** The values of {@link isComputer}. */
export const valuesOf = (ctx: Ctx, { accountId }: Owner, computer: Computer) => ({
  accountId,
  hashes: JSON.stringify(hashesOf(ctx, computer)),
});

/** The computer's row, and how many the account keeps. */
const deviceQuery = (db: Store["db"], values: Values) =>
  db
    .select({ device: devices, kept: keptBy(db) })
    .from(devices)
    .where(isComputer(values))
    .limit(1);

export const isComputer = ({ accountId, hashes }: Values): SQL | undefined =>
  and(
    sql`${devices.accountId} = ${accountId}`,
    sql`${devices.computerHash} IN (SELECT value FROM json_each(${hashes}))`,
  );

/** How many computers the account of the surrounding query's computer keeps. */
export function keptBy(db: Store["db"]): SQL<number> {
  const count = db
    .select({ count: sql`count(*)` })
    .from(other)
    .where(eq(other.accountId, devices.accountId));
  return sql<number>`(${count})`;
}

const other = alias(devices, "other");
