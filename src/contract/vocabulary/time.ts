/** Durations in milliseconds, to be written as `30 * minute`. */
export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** Converts a duration to seconds, the unit of limits, cookies and headers. */
export const inSeconds = (milliseconds: number): number => milliseconds / second;
