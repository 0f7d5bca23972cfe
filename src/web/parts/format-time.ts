import { texts } from "@/contract/texts";

const written = new Intl.DateTimeFormat("en-US", {
  month: "numeric",
  day: "numeric",
  year: "2-digit",
  hour: "numeric",
  minute: "2-digit",
});

/** `5/31/26 at 4:05 PM` in the visitor's time zone; 'Unkown' for an invalid date. */
export function formatTime(moment: Date): string {
  if (Number.isNaN(moment.getTime())) return texts.invalidDate;
  // newer runtimes use a narrow no-break space before AM and PM
  return written.format(moment).replace(",", " at").replace("\u202f", " ");
}

const day = new Intl.DateTimeFormat("en-US", { dateStyle: "medium" });

/** `May 31, 2026` in the visitor's time zone; 'Unkown' for an invalid date. */
export function formatDay(moment: Date): string {
  return Number.isNaN(moment.getTime()) ? texts.invalidDate : day.format(moment);
}
