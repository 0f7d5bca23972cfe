/**
 * The events in a licence's history, worded for its owner.
 */
export const licenceEvents = {
  issued: "Issued by the shop",
  purchased: "Purchased",
  redeemed: "Redeemed",
  added: "Added to your account after payment",
  partly_refunded: "Payment refunded in part",
  refunded: "Payment refunded",
  refund_failed: "Refund failed",
  disputed: "Payment disputed",
  dispute_won: "Dispute won",
  dispute_lost: "Dispute lost",
  suspended: "Suspended by support",
  reinstated: "Reinstated by support",
  revoked: "Revoked by support",
  expired: "Expired",
} as const;

export type LicenceEvent = keyof typeof licenceEvents;

export const licenceEventNames = Object.keys(licenceEvents) as LicenceEvent[];
