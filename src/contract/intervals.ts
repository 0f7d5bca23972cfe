/** How often a subscription is paid. In a file without schemas, because pages load it and must not load zod. */
export const intervals = ["month", "year"] as const;
export type Interval = (typeof intervals)[number];
