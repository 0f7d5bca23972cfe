import { and, desc, eq, sql } from "drizzle-orm";
import type { Ctx } from "@/core/database/context";
import { keepsSeat, type Slot } from "../devices/seats";
import { slotsAmong } from "../devices/read";
import { entitles } from "../licences/entitlement/entitlement";
import { licences } from "../schema/licences";
import type { Entitlement, LicenceResult } from "./evaluate-licences";
import type { TokenOwner } from "./token-owner";

/*
 * A token or file ends with the licence that gives its computer a seat, not with the one that lasts longest: else, on an
 * account with a month for three computers and a lifetime for one, all three would run forever.
 */

/** An entitlement with the number of seats that it gives. */
type Step = Entitlement & { devices: number };
type Valid = Extract<LicenceResult, { code: "VALID" }>;

/**
 * The licences that an account's seats come from: first the one with most seats, then each time the one that remains when
 * those before have ended. Reads them only where the licence that lasts longest doesn't give all seats.
 */
export async function stepsOf(
  ctx: Ctx,
  { accountId, seats }: TokenOwner,
  { entitlement, lasting }: Valid,
): Promise<[Step, ...Step[]]> {
  const last = { ...entitlement, devices: lasting };
  if (lasting >= seats) return [last];
  const { devices, level: type } = licences;
  const rows = await ctx.store.db
    .select({ devices, type, end: sql<number>`max(coalesce(${licences.expiresAt}, ${forLife}))` })
    .from(licences)
    .where(and(eq(licences.accountId, accountId), entitles(ctx, ctx.now())))
    .groupBy(devices)
    .orderBy(desc(devices));
  const longer = rows.filter(({ end }, at) => rows.slice(0, at).every((before) => before.end < end));
  const [first, ...others] = longer.map(({ end, ...step }) => ({
    ...step,
    expiresAt: end === forLife ? null : new Date(end),
  }));
  return first ? [first, ...others] : [last];
}

/** Later than any end. */
const forLife = Number.MAX_SAFE_INTEGER;

/** What one of the active computers is entitled to: it ends with the first step after which no seat is left for it. */
export function entitlementOf(steps: [Step, ...Step[]], active: Slot[], id: string): Entitlement {
  const isLast = ({ expiresAt }: Step, at: number) => {
    const next = steps[at + 1];
    return !next || !expiresAt || !keepsSeat(active, id, { seats: next.devices, at: expiresAt });
  };
  const { type, expiresAt } = steps.find(isLast) ?? steps[0];
  return { type, expiresAt };
}

/** {@link entitlementOf} for a computer that already has its seat. */
export async function entitlementHere(
  ctx: Ctx,
  owner: TokenOwner,
  valid: Valid,
  id: string,
): Promise<Entitlement> {
  const steps = await stepsOf(ctx, owner, valid);
  if (steps.length === 1) return valid.entitlement;
  const { devices } = await slotsAmong(ctx, owner);
  return entitlementOf(
    steps,
    devices.filter(({ active }) => active),
    id,
  );
}
