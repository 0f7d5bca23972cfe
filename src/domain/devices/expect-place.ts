import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { isBlocked } from "../blocks/find";
import type { Computer } from "../blocks/hashes";
import { choosePlace, firstFree } from "./places";
import { countPlaces, seek } from "./read";

/**
 * Refuses unless an account could give this computer a place now: with `license_required`, `blocked`, or `places_full`
 * and the time from which a place may be freed.
 */
export async function expectPlace(ctx: Ctx, accountId: string, computer: Computer): Promise<void> {
  const owner = { accountId, places: await countPlaces(ctx, accountId) };
  if (owner.places === 0) throw new Refusal("license_required", { sentence: noLicence });
  if (await isBlocked(ctx, computer)) throw new Refusal("blocked", { blocked: "device" });
  const { found, now } = await seek(ctx, owner, computer);
  if (found?.active) return;
  if (found) throw placesFull(firstFree(now));
  const choice = choosePlace(now);
  if (choice.place === null) throw placesFull(choice.availableAt);
}

const noLicence = "This needs an account with a license";

/** The refusal of a computer for which no place is left; `availableAt` is when the first may be freed, null for now. */
export const placesFull = (availableAt: Date | null) =>
  new Refusal("places_full", availableAt ? { availableAt } : {});
