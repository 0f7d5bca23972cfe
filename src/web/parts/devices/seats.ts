import { brand } from "@/brand/brand";
import type { Me } from "@/contract/wire/accounts";
import { deviceResetDays } from "@/contract/vocabulary/devices";
import type { OwnDevice } from "@/contract/wire/own-devices";
import { counted } from "@/contract/vocabulary/time";
import { cooldown, waitUntil } from "../account/device-cooldown";
import { formatTime } from "../format-time";

type Places = Me["devices"];

/** A new ticket about a computer. */
export const askAboutDevice = "/dashboard/tickets?new=device";

/** Whether the account's computers are a list; otherwise there is one, or room for one. */
export const hasSeveralSeats = ({ devices: { used, places } }: Pick<Me, "devices">) => used > 1 || places > 1;

/** `2 of 3 computers`, or how many the license allows where there are more. */
export function seatsText({ used, places }: Places): string {
  return used > places
    ? `${counted(used, "computer")}, ${places} allowed`
    : `${used} of ${counted(places, "computer")}`;
}

/** Said of a computer without a seat. */
export const inactiveText = `${brand.shortName} no longer runs there: your license now allows fewer computers.`;

/** When a computer may be removed, if not now, and why. */
export function removalWait(device: Pick<OwnDevice, "removable_at" | "offline_until">, now: Date) {
  const { removable_at: at, offline_until: fileEnds } = device;
  const isHeld = at !== null && fileEnds !== null && fileEnds >= at;
  // a file may run for longer than a seat waits
  const wait = waitUntil(at, now, isHeld ? undefined : cooldown);
  if (!wait) return null;
  const because = isHeld ? ", when its offline file expires" : "";
  return { ...wait, sentence: `You can remove it on ${formatTime(wait.at)}${because}.` };
}

/** What removing a computer does; shown before the removal. */
export function removalConsequence(device: Pick<OwnDevice, "active">): string {
  return device.active
    ? `${brand.shortName} stops working there, and you can add another computer right away. In any ${deviceResetDays} days, you can remove as many computers as your license allows.`
    : `${inactiveText} Removing it doesn't make room for another.`;
}
