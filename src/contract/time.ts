/** Durations in milliseconds, to be written as `30 * minute`. */
export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** A duration in seconds, which limits, cookies and headers are counted in. */
export const inSeconds = (milliseconds: number): number => milliseconds / second;
