import { datesIn } from "@/contract/vocabulary/dates";
import { texts } from "@/contract/vocabulary/texts";

const visitors = datesIn();

/** `Dec 23, 2026 at 4:05 PM` in the visitor's time zone; 'Unkown' for an invalid date. */
export const formatTime = (at: Date): string => (isValid(at) ? visitors.time(at) : texts.invalidDate);

/** `Dec 23, 2026` in the visitor's time zone; 'Unkown' for an invalid date. */
export const formatDay = (at: Date): string => (isValid(at) ? visitors.day(at) : texts.invalidDate);

/** `4:05 PM` in the visitor's time zone, beside the day; 'Unkown' for an invalid date. */
export const formatClock = (at: Date): string => (isValid(at) ? visitors.clock(at) : texts.invalidDate);

const resultPage = new Intl.DateTimeFormat("en-US", {
  month: "numeric",
  day: "numeric",
  year: "2-digit",
  hour: "numeric",
  minute: "2-digit",
});

/** `5/31/26 at 4:05 PM`, which the specification asks of the result page's grid; 'Unkown' for an invalid date. */
export const formatResultTime = (at: Date): string =>
  isValid(at) ? resultPage.format(at).replace(",", " at").replace("\u202f", " ") : texts.invalidDate;

const isValid = (at: Date) => !Number.isNaN(at.getTime());

/** {@link formatDay} of a date as the API has it; empty without one. */
export const formatDayOf = (date: string | null): string => (date === null ? "" : formatDay(new Date(date)));
