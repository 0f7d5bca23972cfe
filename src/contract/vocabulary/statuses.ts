/* What rows of the desk can be, for filters and for screens, which load no schemas. */

export const staffRoles = ["owner", "support", "viewer"] as const;
export const deskPaymentStatuses = [
  "open",
  "processing",
  "succeeded",
  "failed",
  "expired",
  "disputed",
  "refunded",
] as const;
export const deskLicenceStatuses = [
  "active",
  "unredeemed",
  "expired",
  "suspended",
  "disputed",
  "refunded",
  "revoked",
  "other_mode",
] as const;
export const deskCorrectionStates = ["proposed", "approved", "declined"] as const;
export const deskRefundStates = ["proposed", "approved", "made", "declined", "failed"] as const;
