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

/** What owners are mailed about where nobody reads a staff channel. */
export const ownerMailKinds = [
  "disputes",
  "refund_proposals",
  "address_proposals",
  "stuck_jobs",
  "failed_backups",
] as const;
export type OwnerMailKind = (typeof ownerMailKinds)[number];

export const deliveryStates = ["waiting", "delivered", "failed", "cancelled"] as const;

/** What a job does to many licences. */
export const bulkActions = ["extend", "suspend", "reinstate", "revoke"] as const;
export type BulkAction = (typeof bulkActions)[number];

/** What owners can try from the desk. */
export const triedServices = { mail: "Mail", stripe: "Stripe", discord: "Discord" } as const;
export type TriedService = keyof typeof triedServices;
