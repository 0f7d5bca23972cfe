import type { Limit } from "./limits";

const minute = 60;
const hour = 3600;

/**
 * How often each thing may be done, and by whom it is counted. Those on credentials, codes and money
 * are counted in the database; the others in memory.
 */
const defaults = {
  /** an address */
  "login-address": [10, minute],
  /** an account and address */
  "login-account": [5, minute],
  /** an address */
  "register-success": [5, hour],
  "register-failure": [10, 10 * minute],
  /** an account */
  redeem: [10, 10 * minute],
  /** an address */
  checkout: [10, 10 * minute],
  verify: [30, minute],
  /** an account */
  own: [120, minute],
  /** an address */
  public: [60, minute],
  other: [300, minute],
} as const satisfies Record<string, readonly [number, number]>;

export type LimitName = keyof typeof defaults;
export type LimitTable = Record<LimitName, Limit>;

/** The shop's limits with those that the configuration changes. */
export const limitTable = (changed: Record<string, { most: number; seconds: number }>): LimitTable =>
  Object.fromEntries(
    Object.entries(defaults).map(([name, [most, seconds]]) => [
      name,
      { name, most, seconds, ...changed[name] },
    ]),
  ) as LimitTable;
