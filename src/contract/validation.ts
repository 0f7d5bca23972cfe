/**
 * The stable code in every answer to the desktop application. Free of zod so that pages can import it cheaply.
 */
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
