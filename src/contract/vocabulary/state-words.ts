import type { DeviceState } from "./devices";
import type {
  deskLicenceStatuses,
  deskPaymentStatuses,
  ownSubscriptionStatuses,
  subscriptionStatuses,
  ticketStates,
} from "./statuses";

/** What a state means to its reader: its colour. */
export type Tone = "good" | "info" | "warning" | "bad" | "disputed" | "neutral";

/** A state as people read it. */
export type StateWords = {
  word: string;
  tone: Tone;
  /** The word for its own customer, if different. */
  own?: { word?: string; tone?: Tone };
};

export const ownWords = ({ word, tone, own }: StateWords): StateWords => ({ word, tone, ...own });

/** In the middle of a sentence. */
export const lowerWord = ({ word }: StateWords): string => word.toLowerCase();

export const paymentWords = {
  open: { word: "Open", tone: "info" },
  processing: { word: "Processing", tone: "warning" },
  succeeded: { word: "Succeeded", tone: "good" },
  failed: { word: "Failed", tone: "bad" },
  expired: { word: "Expired", tone: "neutral", own: { tone: "bad" } },
  disputed: { word: "Disputed", tone: "disputed" },
  refunded: { word: "Refunded", tone: "neutral" },
} satisfies Record<(typeof deskPaymentStatuses)[number], StateWords>;

export const licenceWords = {
  active: { word: "Active", tone: "good" },
  unredeemed: { word: "Unredeemed", tone: "info" },
  expired: { word: "Expired", tone: "neutral", own: { tone: "bad" } },
  suspended: { word: "Suspended", tone: "warning" },
  disputed: { word: "Disputed", tone: "disputed" },
  refunded: { word: "Refunded", tone: "neutral" },
  revoked: { word: "Revoked", tone: "bad" },
  other_mode: { word: "Other mode", tone: "neutral", own: { word: "Not valid here" } },
} satisfies Record<(typeof deskLicenceStatuses)[number], StateWords>;

export const subscriptionWords = {
  trialing: { word: "Trial", tone: "info" },
  active: { word: "Active", tone: "good" },
  ending: { word: "Ending", tone: "warning", own: { word: "Active" } },
  past_due: { word: "Past due", tone: "warning", own: { word: "Payment failed" } },
  paused: { word: "Paused", tone: "warning" },
  ended: { word: "Ended", tone: "neutral" },
} satisfies Record<(typeof subscriptionStatuses)[number], StateWords>;

export const ownSubscriptionWords = {
  ...subscriptionWords,
  pending: { word: "On its way", tone: "info" },
} satisfies Record<(typeof ownSubscriptionStatuses)[number], StateWords>;

export const ticketWords = {
  open: { word: "Open", tone: "info" },
  closed: { word: "Closed", tone: "neutral" },
} satisfies Record<(typeof ticketStates)[number], StateWords>;

/** Whom an open ticket waits for. */
export const turnWords = {
  staff: { word: "Support", tone: "info", own: { word: "Waiting for support" } },
  customer: { word: "Customer", tone: "good", own: { word: "New reply" } },
} satisfies Record<"staff" | "customer", StateWords>;

export const deviceWords = {
  in_use: { word: "In use", tone: "good" },
  offline_file: { word: "Offline file", tone: "info" },
  deactivated: { word: "Deactivated", tone: "neutral" },
  no_place: { word: "No seat left", tone: "warning", own: { word: "Inactive" } },
} satisfies Record<DeviceState, StateWords>;
