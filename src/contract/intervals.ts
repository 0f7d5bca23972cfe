/** How often a subscription is paid. Apart from the schemas, which no page carries. */
export const intervals = ["month", "year"] as const;
export type Interval = (typeof intervals)[number];
