import { useQuery } from "@tanstack/react-query";
import { support } from "@/brand/tickets";
import { counted, day, hour, minute } from "@/contract/vocabulary/time";
import { answerTimeQuery } from "../../../api/tickets";
import { useNow } from "../../../hooks/use-now";

/** How soon support usually answers, and when, in the visitor's time zone. */
export function useAnswerTime(): string {
  const { data } = useQuery(answerTimeQuery);
  return answerTime(data ?? null, useNow());
}

type Hours = { timezone: string; from: number; to: number; days: readonly number[] };

/** `Usually within 3 hours · 9 AM–9 PM your time`; with null hours only when support answers. */
export function answerTime(
  hours: number | null,
  now: Date,
  open: Hours = support.hours,
  zone?: string,
): string {
  const when = hoursIn(open, shownIn(zone, now) - shownIn(open.timezone, now));
  return hours === null ? `Support answers ${when}` : `Usually within ${counted(hours, "hour")} · ${when}`;
}

/** What a clock in a time zone shows, as milliseconds. */
const shownIn = (timeZone: string | undefined, at: Date): number =>
  Date.parse(`${at.toLocaleString("sv-SE", { timeZone }).replace(" ", "T")}Z`);

/** Support's hours where clocks are this much ahead of those that it goes by. */
function hoursIn({ from, to, days }: Hours, ahead: number): string {
  const opens = from * hour + ahead;
  const clock =
    to - from >= 24 ? "around the clock" : `${clockAt(opens)}–${clockAt(to * hour + ahead)} your time`;
  if (days.length === 7) return clock;
  const moved = Math.floor(opens / day);
  const [first = 1] = days;
  const name = (one: number) => names[(one - 1 + moved + 7) % 7];
  const isRun = days.length > 2 && days.every((one, at) => one === first + at);
  return `${isRun ? `${name(first)}–${name(first + days.length - 1)}` : days.map(name).join(", ")}, ${clock}`;
}

const names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

function clockAt(milliseconds: number): string {
  const minutes = (((milliseconds % day) + day) % day) / minute;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return `${hours % 12 || 12}${rest === 0 ? "" : `:${String(rest).padStart(2, "0")}`} ${hours < 12 ? "AM" : "PM"}`;
}
