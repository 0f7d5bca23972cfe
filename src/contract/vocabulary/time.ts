/** Durations in milliseconds, to be written as `30 * minute`. */
export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** `1 day`, `3 hours` */
export const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? "" : "s"}`;

/** Converts a duration to seconds, the unit of limits, cookies and headers. */
export const inSeconds = (milliseconds: number): number => milliseconds / second;
