import { asc, eq } from "drizzle-orm";
import type { Actor } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import type { Place } from "@/core/database/pages";
import { Refusal } from "@/core/base/refusal";
import { authorize } from "../permissions";
import { type Device, devices } from "../schema/devices";
import type { KeptDevice, Seats } from "./seats";
import { seatsOf } from "./read";

/** The computer that an account has had longest, used where an account can have only one. */
export async function firstDevice(ctx: Ctx, accountId: string): Promise<Device | null> {
  const [device] = await ctx.store.db
    .select()
    .from(devices)
    .where(eq(devices.accountId, accountId))
    .orderBy(asc(devices.firstSeenAt), asc(devices.id))
    .limit(1);
  return device ?? null;
}

/** An account's computers after a seat in the list, last seen first. */
export async function devicesAfter(
  ctx: Ctx,
  accountId: string,
  after: Place | null,
  most: number,
): Promise<KeptDevice[]> {
  const { devices: kept } = await seatsOf(ctx, accountId);
  const from = after === null ? 0 : kept.findIndex((device) => isAfter(device, after));
  return from < 0 ? [] : kept.slice(from, from + most);
}

const isAfter = ({ lastSeenAt, id }: KeptDevice, { at, id: before }: Place) =>
  lastSeenAt < at || (lastSeenAt.getTime() === at.getTime() && id < before);

/** An account's seats as staff see them. */
export async function seatsForStaff(ctx: Ctx, actor: Actor, accountId: string): Promise<Seats> {
  authorize(actor, "device.read");
  return seatsOf(ctx, accountId);
}

/** One of an account's computers. Refuses with `device_unknown`. */
export async function expectDevice(ctx: Ctx, accountId: string, id: string): Promise<KeptDevice> {
  const { devices: kept } = await seatsOf(ctx, accountId);
  const found = kept.find((device) => device.id === id);
  if (!found) throw new Refusal("device_unknown");
  return found;
}
