export const blockKinds = ["device", "email", "network", "discord"] as const;
export type BlockKind = (typeof blockKinds)[number];

/** How often a subscription is paid. */
export const intervals = ["month", "year"] as const;
export type Interval = (typeof intervals)[number];

/** The stable code in every answer to the desktop application. */
export const validationCodes = [
  "VALID",
  "NO_LICENSE",
  "EXPIRED",
  "DISPUTED",
  "REVOKED",
  "NOT_ACTIVATED",
  "HWID_MISMATCH",
  "UPDATE_REQUIRED",
  "RATE_LIMITED",
] as const;
export type ValidationCode = (typeof validationCodes)[number];
