/**
 * The stable code that every answer of the application's calls carries. Without zod, like the other
 * constants of the wire.
 */
export const verdictCodes = [
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
export type VerdictCode = (typeof verdictCodes)[number];
