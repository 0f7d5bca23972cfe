import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { isBlocked } from "../blocks/find";
import type { Computer } from "../blocks/hashes";
import { chooseSeat, firstFree } from "./seats";
import { countSeats, seek } from "./read";

/**
 * Refuses unless an account could give this computer a seat now: with `license_required`, `blocked`, or `places_full`
 * and the time from which a seat may be freed.
 */
export async function expectSeat(ctx: Ctx, accountId: string, computer: Computer): Promise<void> {
  const owner = { accountId, seats: await countSeats(ctx, accountId) };
  if (owner.seats === 0) throw new Refusal("license_required", { sentence: noLicence });
  if (await isBlocked(ctx, computer)) throw new Refusal("blocked", { blocked: "device" });
  const { found, now } = await seek(ctx, owner, computer);
  if (found?.active) return;
  if (found) throw seatsFull(firstFree(now));
  const choice = chooseSeat(now);
  if (!choice.hasSeat) throw seatsFull(choice.availableAt);
}

const noLicence = "This needs an account with a license";

/** The refusal of a computer for which no seat is left; `availableAt` is when the first may be freed, null for now. */
export const seatsFull = (availableAt: Date | null) =>
  new Refusal("places_full", availableAt ? { availableAt } : {});
