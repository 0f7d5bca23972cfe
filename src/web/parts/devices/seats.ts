import type { Me } from "@/contract/wire/accounts";
import { deviceResetDays } from "@/contract/vocabulary/devices";
import type { OwnDevice } from "@/contract/wire/own-devices";
import { cooldown, counted, waitUntil } from "../account/device-cooldown";
import { formatTime } from "../format-time";

type Places = Me["devices"];

/** Whether the account's computers are a list; otherwise there is one, or a seat for one. */
export const hasSeveralSeats = ({ devices: { used, places } }: Pick<Me, "devices">) => used > 1 || places > 1;

/** `2 of 3 places in use`, or both counts where there are fewer seats. */
export function seatsText({ used, places }: Places): string {
  if (places === 0) return `${counted(used, "computer")}, no places`;
  return used > places
    ? `${counted(used, "computer")}, ${counted(places, "place")}`
    : `${used} of ${counted(places, "place")} in use`;
}

/** When a computer may be removed, if not now, and why. */
export function removalWait(device: Pick<OwnDevice, "removable_at" | "offline_until">, now: Date) {
  const { removable_at: at, offline_until: fileEnds } = device;
  const isHeld = at !== null && fileEnds !== null && fileEnds >= at;
  // a file may run for longer than a seat waits
  const wait = waitUntil(at, now, isHeld ? undefined : cooldown);
  if (!wait) return null;
  const because = isHeld ? ": its license file runs until then" : "";
  return { ...wait, sentence: `Can be removed on ${formatTime(wait.at)}${because}.` };
}

/** What removing a computer does and when its seat is free again; shown before the removal. */
export function removalConsequence(device: Pick<OwnDevice, "active">): string {
  return device.active
    ? `The application stops there, and its place is free at once. In ${deviceResetDays} days you can remove as many computers as you have places.`
    : "The application no longer runs there, because your license now has fewer places. Removing it frees no place.";
}
