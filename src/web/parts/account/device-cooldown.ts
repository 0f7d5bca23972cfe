import { deviceResetDays } from "@/contract/devices";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The server has the last word. */
const cooldown = deviceResetDays * day;

/** When the hardware ID may next be reset, and how long that is; null when it may be now. */
export function resetWait(lastReset: string | null, now: Date): { at: Date; left: string } | null {
  if (lastReset === null) return null;
  const at = new Date(new Date(lastReset).getTime() + cooldown);
  // Our clocks may differ, and a page looks at its own only now and then.
  const milliseconds = Math.min(at.getTime() - now.getTime(), cooldown);
  return milliseconds > 0 ? { at, left: inWords(milliseconds) } : null;
}

/** Rounded up, so that nobody is told a time at which it is still refused. */
function inWords(milliseconds: number): string {
  if (milliseconds > day) return counted(Math.ceil(milliseconds / day), "day");
  if (milliseconds > hour) return counted(Math.ceil(milliseconds / hour), "hour");
  return counted(Math.ceil(milliseconds / minute), "minute");
}

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? "" : "s"}`;
