/* What things can be, for the schemas, filters and screens, which load no schemas. */

export const staffRoles = ["owner", "support", "viewer"] as const;
export const paymentStatuses = [
  "processing",
  "succeeded",
  "failed",
  "expired",
  "disputed",
  "refunded",
] as const;
export const deskPaymentStatuses = ["open", ...paymentStatuses] as const;
export const licenseStates = [
  "active",
  "unredeemed",
  "expired",
  "suspended",
  "disputed",
  "refunded",
  "revoked",
] as const;
export const deskLicenceStatuses = [...licenseStates, "other_mode"] as const;
export const subscriptionStatuses = ["trialing", "active", "ending", "past_due", "paused", "ended"] as const;
/** As its buyer sees it: also while the first money is on its way. */
export const ownSubscriptionStatuses = ["pending", ...subscriptionStatuses] as const;
export const ticketStates = ["open", "closed"] as const;
export const deskCorrectionStates = ["proposed", "approved", "declined"] as const;
export const deskRefundStates = ["proposed", "approved", "made", "declined", "failed"] as const;
