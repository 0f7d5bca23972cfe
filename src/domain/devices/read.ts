import { and, asc, desc, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Ctx } from "@/core/context";
import type { Store } from "@/core/database";
import { preparedRead } from "@/core/prepared-read";
import { entitles } from "../licences/entitlement";
import { type Device, devicePlaces, devices } from "../schema/devices";
import { licences } from "../schema/licences";
import { type Computer, hashesOf } from "../blocks/hashes";
import { judgePlaces, type Places } from "./places";

/** An account, and how many places it has. */
export type Owner = { accountId: string; places: number };

/** An account's places and the computers on them. */
export async function placesOf(ctx: Ctx, accountId: string): Promise<Places> {
  return placesAmong(ctx, { accountId, places: await countPlaces(ctx, accountId) });
}

/** The same where the number of places is known. */
export async function placesAmong(ctx: Ctx, { accountId, places }: Owner): Promise<Places> {
  const { db } = ctx.store;
  const [kept, freed] = await db.batch([
    db.select().from(devices).where(eq(devices.accountId, accountId)).orderBy(asc(devices.place)),
    db.select().from(devicePlaces).where(eq(devicePlaces.accountId, accountId)),
  ]);
  const freedAt = new Map(freed.map((one) => [one.number, one.freedAt]));
  return judgePlaces({ accountId, places, devices: kept, freed: freedAt }, ctx.now());
}

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

/** A kept computer, and whether it has one of the places that there are; null if the account doesn't keep it. */
export async function findDevice(
  ctx: Ctx,
  { accountId, places }: Owner,
  computer: Computer,
): Promise<{ device: Device; active: boolean } | null> {
  const { computer: hashes, hwid } = hashesOf(ctx, computer);
  const [found] = await deviceRead(ctx.store).all({
    accountId,
    places,
    now: ctx.now().getTime(),
    hashes: JSON.stringify(hashes),
    hwid: JSON.stringify(hwid),
  });
  return found ? { device: found.device, active: found.ahead < places } : null;
}

const among = (name: string) => sql`(SELECT value FROM json_each(${sql.placeholder(name)}))`;

const deviceRead = preparedRead((db) =>
  db
    .select({ device: devices, ahead: ahead(db) })
    .from(devices)
    .where(
      and(
        eq(devices.accountId, sql.placeholder("accountId")),
        or(
          sql`${devices.computerHash} IN ${among("hashes")}`,
          // of a computer that has not been seen since the shop hashes hardware IDs as it does now
          and(isNull(devices.computerHash), sql`${devices.hwidHash} IN ${among("hwid")}`),
        ),
      ),
    )
    .orderBy(isNull(devices.computerHash))
    .limit(1)
    .prepare(),
);

/** How many computers come before it, by the rule of `judgePlaces`; counted only where there are fewer places. */
function ahead(db: Store["db"]): SQL<number> {
  const count = (which?: SQL) =>
    db
      .select({ count: sql`count(*)` })
      .from(other)
      .where(and(eq(other.accountId, devices.accountId), which));
  const file = (of: typeof devices | typeof other) => sql`coalesce(${of.offlineUntil} > ${now}, 0)`;
  const before = sql`(${file(other)}, ${other.lastSeenAt}, ${devices.id}) > (${file(devices)}, ${devices.lastSeenAt}, ${other.id})`;
  return sql<number>`CASE WHEN (${count()}) <= ${places} THEN ${places} - 1 ELSE (${count(before)}) END`;
}

const [now, places] = [sql.placeholder("now"), sql.placeholder("places")];
const other = alias(devices, "other");
