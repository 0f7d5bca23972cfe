import { deviceResetDays } from "@/contract/devices";
import { day, hour, minute } from "@/contract/time";

/** Only for display; the server decides. */
const cooldown = deviceResetDays * day;

/** When the hardware ID can next be reset, and how long that is; null if it can be reset now. */
export function resetWait(lastReset: string | null, now: Date): { at: Date; left: string } | null {
  if (lastReset === null) return null;
  const at = new Date(new Date(lastReset).getTime() + cooldown);
  // the server's clock may be ahead of this one
  const milliseconds = Math.min(at.getTime() - now.getTime(), cooldown);
  return milliseconds > 0 ? { at, left: inWords(milliseconds) } : null;
}

/** Rounded up, so that the stated time is never too early. */
function inWords(milliseconds: number): string {
  if (milliseconds > day) return counted(Math.ceil(milliseconds / day), "day");
  if (milliseconds > hour) return counted(Math.ceil(milliseconds / hour), "hour");
  return counted(Math.ceil(milliseconds / minute), "minute");
}

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? "" : "s"}`;
