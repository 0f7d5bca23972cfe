import { support } from "@/brand/tickets";

const days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/** When support answers, in the brand's time zone. */
export function supportHours(): string {
  const { timezone, from, to, days: open } = support.hours;
  const named = open.map((day) => days[day - 1]);
  const when = open.length === 7 ? "every day" : named.join(", ");
  return `Support answers ${when} from ${clock(from)} to ${clock(to)} (${timezone.replace("_", " ")}).`;
}

const clock = (hour: number) => `${hour % 12 || 12} ${hour % 24 < 12 ? "AM" : "PM"}`;
