import type { StateWords } from "@/contract/vocabulary/state-words";
import type { deskCorrectionStates, deskRefundStates, staffRoles } from "@/contract/vocabulary/statuses";
import type { AnnouncementRow } from "@/contract/wire/desk/announcements";
import type { OfferRow } from "@/contract/wire/desk/offers";
import type { System } from "@/contract/wire/desk/system";
import type { DeliveryRow } from "@/contract/wire/desk/webhooks";

/* The words of states that only staff see; those of payments, licences and others are the contract's. */

export const refundWords: Record<(typeof deskRefundStates)[number], StateWords> = {
  proposed: { word: "Proposed", tone: "warning" },
  approved: { word: "Approved", tone: "info" },
  made: { word: "Refunded", tone: "good" },
  declined: { word: "Declined", tone: "neutral" },
  failed: { word: "Failed", tone: "bad" },
};

export const correctionWords: Record<(typeof deskCorrectionStates)[number], StateWords> = {
  proposed: { word: "Proposed", tone: "warning" },
  approved: { word: "Approved", tone: "good" },
  declined: { word: "Declined", tone: "neutral" },
};

export const deliveryWords: Record<DeliveryRow["state"], StateWords> = {
  waiting: { word: "Waiting", tone: "info" },
  delivered: { word: "Delivered", tone: "good" },
  failed: { word: "Failed", tone: "bad" },
  cancelled: { word: "Canceled", tone: "neutral" },
};

export const webhookWords: Record<"active" | "failing" | "disabled", StateWords> = {
  active: { word: "Active", tone: "good" },
  failing: { word: "Failing", tone: "warning" },
  disabled: { word: "Disabled", tone: "bad" },
};

export const releaseWords: Record<"current" | "older" | "yanked", StateWords> = {
  current: { word: "Current", tone: "good" },
  older: { word: "Older", tone: "neutral" },
  yanked: { word: "Yanked", tone: "bad" },
};

export const offerWords: Record<OfferRow["state"], StateWords> = {
  on_sale: { word: "On sale", tone: "good" },
  retired: { word: "Retired", tone: "neutral" },
  other_currency: { word: "Other currency", tone: "neutral" },
  newer_release: { word: "Newer release", tone: "neutral" },
  level_retired: { word: "Level retired", tone: "neutral" },
};

export const levelWords: Record<"active" | "retired" | "from_order", StateWords> = {
  active: { word: "Active", tone: "good" },
  retired: offerWords.retired,
  from_order: { word: "From an order", tone: "warning" },
};

export const codeWords: Record<"active" | "retired", StateWords> = {
  active: { word: "Active", tone: "good" },
  retired: offerWords.retired,
};

export const announcementWords: Record<AnnouncementRow["state"], StateWords> = {
  under_way: { word: "Sending", tone: "info" },
  done: { word: "Done", tone: "good" },
  stopped: { word: "Stopped", tone: "neutral" },
};

export const findingWords: Record<System["findings"][number]["state"], StateWords> = {
  well: { word: "OK", tone: "good" },
  warning: { word: "Warning", tone: "warning" },
  wrong: { word: "Problem", tone: "bad" },
  unknown: { word: "Unknown", tone: "neutral" },
};

export const roles: Record<(typeof staffRoles)[number], string> = {
  owner: "Owners",
  support: "Support",
  viewer: "Viewers",
};

/** The choices of a filter. */
export const choicesOf = (words: Readonly<Record<string, StateWords>>): Record<string, string> =>
  Object.fromEntries(Object.entries(words).map(([state, { word }]) => [state, word]));
