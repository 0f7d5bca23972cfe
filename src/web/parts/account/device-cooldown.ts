import { deviceResetDays } from "@/contract/vocabulary/devices";
import { counted, day, hour, minute } from "@/contract/vocabulary/time";

/** Only for display; the server decides. */
export const cooldown = deviceResetDays * day;

/** The time to wait for, and how long that is. */
type Wait = { at: Date; left: string };

/** When the hardware ID can next be reset, and how long that is; null if it can be reset now. */
export function resetWait(lastReset: string | null, now: Date): Wait | null {
  if (lastReset === null) return null;
  const at = new Date(new Date(lastReset).getTime() + cooldown);
  // the server's clock may be ahead of this one
  const milliseconds = Math.min(at.getTime() - now.getTime(), cooldown);
  return milliseconds > 0 ? { at, left: formatDuration(milliseconds) } : null;
}

/** The wait until a time that the server names, or null for now; never shown as longer than `most`. */
export function waitUntil(time: string | null, now: Date, most = Infinity): Wait | null {
  if (time === null) return null;
  const at = new Date(time);
  const milliseconds = Math.min(at.getTime() - now.getTime(), most);
  return milliseconds > 0 ? { at, left: formatDuration(milliseconds) } : null;
}

/**
 * Rounded up, so that the stated time is not too early; but a page's time is up to half a minute old, its clock may be
 * behind the server's, and thirty days that begin now are not 31.
 */
function formatDuration(milliseconds: number): string {
  if (milliseconds > day) return counted(Math.ceil((milliseconds - hour) / day), "day");
  if (milliseconds > hour) return counted(Math.ceil((milliseconds - minute) / hour), "hour");
  return counted(Math.ceil(milliseconds / minute), "minute");
}
