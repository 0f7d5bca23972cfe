import type {
  deskCorrectionStates,
  deskLicenceStatuses,
  deskPaymentStatuses,
  deskRefundStates,
  staffRoles,
} from "@/contract/vocabulary/statuses";
import type { subscriptionStatuses as contractStatuses } from "@/contract/wire/subscriptions";

/*
 * The values of filters with their words. The contract's own lists stand beside zod, which no page loads; the types make
 * each of these complete.
 */

type Words<Values extends readonly string[]> = Record<Values[number], string>;

export const paymentStatuses: Words<typeof deskPaymentStatuses> = {
  open: "Open",
  processing: "Processing",
  succeeded: "Succeeded",
  failed: "Failed",
  expired: "Expired",
  disputed: "Disputed",
  refunded: "Refunded",
};

export const licenceStatuses: Words<typeof deskLicenceStatuses> = {
  active: "Active",
  unredeemed: "Unredeemed",
  expired: "Expired",
  suspended: "Suspended",
  disputed: "Disputed",
  refunded: "Refunded",
  revoked: "Revoked",
  other_mode: "Other mode",
};

export const subscriptionStatuses: Words<typeof contractStatuses> = {
  trialing: "Trial",
  active: "Active",
  ending: "Ending",
  past_due: "Past due",
  paused: "Paused",
  ended: "Ended",
};

export const correctionStates: Words<typeof deskCorrectionStates> = {
  proposed: "Proposed",
  approved: "Approved",
  declined: "Declined",
};

export const refundStates: Words<typeof deskRefundStates> = {
  proposed: "Proposed",
  approved: "Approved",
  made: "Made",
  declined: "Declined",
  failed: "Failed",
};

export const roles: Words<typeof staffRoles> = { owner: "Owners", support: "Support", viewer: "Viewers" };
