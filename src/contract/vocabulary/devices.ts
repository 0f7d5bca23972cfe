/** The wait between two times that an owner frees the same seat. The first computer on it doesn't start the wait. */
export const deviceResetDays = 30;
/** The most computers that one licence can be for. */
export const maxDevices = 1000;
/** The most days that a licence file for a computer that is never online may last. */
export const maxOfflineDays = 365;

/** How a computer came: the application activated it or signed in on it, or the owner made an offline file for it. */
export const addedCauses = ["application", "signed_in", "offline_file"] as const;
/**
 * Who took it away. `application`: it was deactivated there, and another took its seat. `places`: there are fewer
 * seats.
 */
export const removedCauses = ["owner", "application", "staff", "places", "erased"] as const;
export type DeviceCause = (typeof addedCauses)[number];

export type DeviceState = "in_use" | "offline_file" | "deactivated" | "no_place";

type Moment = Date | string | null;
type SeatFields = { active: boolean; deactivated_at: Moment; offline_until: Moment };

export function deviceState({ active, deactivated_at, offline_until }: SeatFields, now: Date): DeviceState {
  if (!active) return "no_place";
  if (deactivated_at !== null) return "deactivated";
  return offline_until !== null && new Date(offline_until) > now ? "offline_file" : "in_use";
}
