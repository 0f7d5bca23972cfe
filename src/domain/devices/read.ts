import { and, desc, eq, isNull, notExists, or, type Placeholder, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Ctx } from "@/core/context";
import type { Store } from "@/core/database";
import { preparedRead } from "@/core/prepared-read";
import { entitles } from "../licences/entitlement";
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

/** The same of each computer only what its place depends on, since an application may ask as often as it may call. */
export async function slotsAmong(ctx: Ctx, owner: Owner): Promise<Places<Slot>> {
  const { db } = ctx.store;
  const [kept, freed] = await db.batch([slotsIn(db, owner.accountId), freedIn(db, owner.accountId)]);
  return judge(ctx, owner, { kept, freed });
}

const { id, accountId: ofAccount, place, lastSeenAt, deactivatedAt, offlineUntil } = devices;

const slotsIn = (db: Store["db"], accountId: string, which?: SQL) =>
  db
    .select({ id, accountId: ofAccount, place, lastSeenAt, deactivatedAt, offlineUntil })
    .from(devices)
    .where(and(eq(devices.accountId, accountId), which));

const freedIn = (db: Store["db"], accountId: string, which?: SQL) =>
  db
    .select()
    .from(devicePlaces)
    .where(and(eq(devicePlaces.accountId, accountId), which));

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
type Found = { device: Device; active: boolean };

/** One of an account's computers; null if the account doesn't keep it. */
export async function findDevice(ctx: Ctx, owner: Owner, computer: Computer): Promise<Found | null> {
  const { places } = owner;
  const [found] = await prepared(ctx.store).all({ places, ...valuesOf(ctx, owner, computer) });
  return found ? { device: found.device, active: found.ahead < places } : null;
}

/** The computer or, if the account doesn't keep it, the places among which to choose one for it. */
export type Sought = { found: Found; now: null } | { found: null; now: Places<Slot> };

/** The same, in one round trip with the places that a new computer needs. */
export async function seek(ctx: Ctx, owner: Owner, computer: Computer): Promise<Sought> {
  const { accountId, places } = owner;
  const { db } = ctx.store;
  const values = { places, ...valuesOf(ctx, owner, computer) };
  const isNew = notExists(
    db
      .select({ one: sql`1` })
      .from(known)
      .where(isComputer(known, values)),
  );
  const [[found], kept, freed] = await db.batch([
    deviceQuery(db, values),
    slotsIn(db, accountId, isNew),
    freedIn(db, accountId, isNew),
  ]);
  if (found) return { found: { device: found.device, active: found.ahead < places }, now: null };
  return { found: null, now: judge(ctx, owner, { kept, freed }) };
}

type Values<Name extends string> = Record<Name, string | number | Placeholder>;

function valuesOf(ctx: Ctx, { accountId }: Owner, computer: Computer) {
  const { computer: hashes, hwid } = hashesOf(ctx, computer);
  return {
    accountId,
    now: ctx.now().getTime(),
    hashes: JSON.stringify(hashes),
    hwid: JSON.stringify(hwid),
  };
}

/** Validations ask for it, so it is built once. */
const prepared = preparedRead((db) =>
  deviceQuery(db, {
    accountId: sql.placeholder("accountId"),
    places: sql.placeholder("places"),
    now: sql.placeholder("now"),
    hashes: sql.placeholder("hashes"),
    hwid: sql.placeholder("hwid"),
  }).prepare(),
);

type Names = "accountId" | "places" | "now" | "hashes" | "hwid";

const deviceQuery = (db: Store["db"], values: Values<Names>) =>
  db
    .select({ device: devices, ahead: ahead(db, values) })
    .from(devices)
    .where(isComputer(devices, values))
    .orderBy(isNull(devices.computerHash))
    .limit(1);

const among = (keys: string | number | Placeholder) => sql`(SELECT value FROM json_each(${keys}))`;

/** Whether a row is the computer; in the earlier form only where the present hash is not known yet. */
function isComputer(
  of: typeof devices | typeof known,
  { accountId, hashes, hwid }: Values<"accountId" | "hashes" | "hwid">,
): SQL | undefined {
  return and(
    sql`${of.accountId} = ${accountId}`,
    or(
      sql`${of.computerHash} IN ${among(hashes)}`,
      and(isNull(of.computerHash), sql`${of.hwidHash} IN ${among(hwid)}`),
    ),
  );
}

/** How many computers come before it, by the rule of `judgePlaces`; counted only where there are fewer places. */
function ahead(db: Store["db"], { now, places }: Values<"now" | "places">): SQL<number> {
  const count = (which?: SQL) =>
    db
      .select({ count: sql`count(*)` })
      .from(other)
      .where(and(eq(other.accountId, devices.accountId), which));
  const file = (of: typeof devices | typeof other) => sql`coalesce(${of.offlineUntil} > ${now}, 0)`;
  const before = sql`(${file(other)}, ${other.lastSeenAt}, ${devices.id}) > (${file(devices)}, ${devices.lastSeenAt}, ${other.id})`;
  return sql<number>`CASE WHEN (${count()}) <= ${places} THEN ${places} - 1 ELSE (${count(before)}) END`;
}

const other = alias(devices, "other");
const known = alias(devices, "known");
