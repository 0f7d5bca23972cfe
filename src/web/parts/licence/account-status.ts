import { brand } from "@/brand/brand";
import { licenceEnd } from "@/contract/vocabulary/licence-end";
import type { Licence } from "@/contract/wire/licences";
import { money } from "@/contract/vocabulary/money";
import { licenceWords, ownSubscriptionWords, ownWords } from "@/contract/vocabulary/state-words";
import type { Subscription } from "@/contract/wire/subscriptions";
import { day, hour, minute } from "@/contract/vocabulary/time";
import { formatDay, formatDayOf } from "../format-time";
import { inactivityOf, type Inactivity, isDisputed } from "./inactivity";

export type StatusAction =
  "download" | "copy" | "renew" | "buy" | "again" | "redeem" | "payment" | "support" | "billing";

/** An account's status, and what its owner can do now. */
export type AccountStatus = {
  kind: "active" | "ending" | Inactivity["status"] | "none";
  /** `["Wisp Premium", "Active", "until Dec 23, 2026"]`. */
  title: string[];
  sentence: string | null;
  /** Further sentences. */
  more: string[];
  /** The most likely first. */
  actions: StatusAction[];
  /** The key to copy. */
  key: string | null;
  /** The payment to see, as in the list of payments. */
  paymentId: string | null;
};

export type KnownAccount = {
  /** Newest redemption first. */
  licences: readonly Licence[];
  hasUnusedKey: boolean;
  /** What was paid for the disputed licence, such as `USD 5.00`; null if that isn't known. */
  disputed: string | null;
  /** The subscriptions that pay for licences; empty if none does, or while that isn't known. */
  subscriptions: readonly Subscription[];
  now: Date;
};

/** From here on, the card of a licence that ends asks to renew it. */
const soon = 7 * day;

/** The disputed licence among an account's, if there is one. */
export const disputedLicence = (licences: readonly Licence[]) => licences.find((one) => isDisputed([one]));

export function accountStatus({ licences: listed, ...known }: KnownAccount): AccountStatus {
  const licences = listed.map((one) =>
    isOver(one, known.now) ? { ...one, status: "expired" as const } : one,
  );
  const lasting = longestLasting(licences);
  if (lasting) return activeStanding(lasting, { ...known, licences });
  const inactivity = inactivityOf(licences, known.hasUnusedKey);
  return inactivity
    ? inactiveStanding(inactivity, { ...known, licences })
    : withoutLicence(known.hasUnusedKey);
}

/** The list was fetched a while ago. */
const isOver = ({ status, expiry_date }: Licence, now: Date) =>
  status === "active" && expiry_date !== null && new Date(expiry_date) <= now;

/** The active licence with the latest end, which is the account's. */
const longestLasting = (licences: readonly Licence[]) =>
  licences.filter(({ status }) => status === "active").toSorted((a, b) => endOf(b) - endOf(a))[0];

const endOf = ({ expiry_date }: Licence) =>
  expiry_date === null ? Number.MAX_SAFE_INTEGER : new Date(expiry_date).getTime();

function activeStanding(lasting: Licence, known: KnownAccount): AccountStatus {
  const { licences, hasUnusedKey, disputed, subscriptions, now } = known;
  const { key, expiry_date, renews_at } = lasting;
  const subscription = subscriptions.find(({ id }) => id === lasting.subscription);
  if (subscription && subscription.status !== "ended") return subscribedStatus(subscription, lasting);
  const end = licenceEnd(expiry_date, renews_at, now);
  const base: AccountStatus = {
    kind: "active",
    title: [brand.premium.name, licenceWords.active.word, end ? `until ${formatDay(end)}` : "for life"],
    sentence: null,
    more: [],
    actions: ["download", "copy"],
    key,
    paymentId: null,
  };
  const left = end ? end.getTime() - now.getTime() : Infinity;
  // one that renews on its own needs no action, whoever pays for it
  const isOthers = lasting.subscription !== null && !subscription;
  if (left > soon || isOthers) return base;
  const ending: AccountStatus = { ...base, kind: "ending" };
  const ends = `It ends in ${leftText(left)}.`;
  const held = disputedLicence(licences);
  if (held) {
    const actions: StatusAction[] = held.payment_id === null ? ["support"] : ["payment"];
    const sentence = `${ends} Your bank disputed ${disputed ?? "a payment"}.`;
    return { ...ending, sentence, actions: [...ending.actions, ...actions], paymentId: held.payment_id };
  }
  if (hasUnusedKey) return { ...ending, sentence: `${ends} Add your key to go on.` };
  return {
    ...ending,
    sentence: `${ends} What you buy now is added to its end.`,
    actions: ["renew", ...ending.actions],
  };
}

/** A subscription renews on its own, unless its customer or card ends it. */
function subscribedStatus(subscription: Subscription, { key, expiry_date }: Licence): AccountStatus {
  const { status, amount, currency } = subscription;
  const details = {
    trialing: [
      `until ${formatDayOf(subscription.renews_at)}`,
      ...(amount === null ? [] : [`then ${money(amount, currency)}`]),
    ],
    active: [`renews ${formatDayOf(subscription.renews_at)}`],
    ending: [`ends ${formatDayOf(subscription.ends_at)}`],
    pending: ["your first payment"],
    past_due: [`until ${formatDayOf(expiry_date)}`],
    paused: [`license until ${formatDayOf(expiry_date)}`],
    ended: [formatDayOf(subscription.ends_at)],
  }[status];
  return {
    kind: status === "past_due" ? "ending" : "active",
    title: [brand.premium.name, ownWords(ownSubscriptionWords[status]).word, ...details],
    // what to do about a failed payment is said above every page
    sentence: null,
    more: [],
    actions: ["download", "copy", "billing"],
    key,
    paymentId: null,
  };
}

function inactiveStanding(inactivity: Inactivity, { licences, disputed }: KnownAccount): AccountStatus {
  const { status, why, next, paymentId } = inactivity;
  const buying = status === "refunded" ? "again" : "renew";
  const actions = inactivity.actions.map((one): StatusAction => (one === "buy" ? buying : one));
  const base = { kind: status, key: null, paymentId, actions };
  const title = [brand.premium.name, ownWords(licenceWords[status]).word];
  if (status === "disputed") {
    const sentence = `Your bank disputed ${disputed ?? "the payment"}. Paused until it decides.`;
    const first: StatusAction[] = paymentId === null ? [] : ["payment"];
    return {
      ...base,
      title: [brand.premium.name, "Paused"],
      sentence,
      more: [next],
      actions: [...first, "support"],
    };
  }
  if (status === "expired") {
    const end = new Date(Math.max(...licences.filter((one) => one.status === status).map(endOf)));
    return { ...base, title: [brand.premium.name, `Ended ${formatDay(end)}`], sentence: next, more: [] };
  }
  if (status === "refunded") {
    const sentence = "Its payment was refunded in full, and that ended the license.";
    return { ...base, title, sentence, more: [why, next] };
  }
  return { ...base, title, sentence: why, more: [next] };
}

const withoutLicence = (hasUnusedKey: boolean): AccountStatus => ({
  kind: "none",
  title: ["No license yet"],
  sentence: hasUnusedKey ? "Add your key to begin." : "Buy one, or redeem a key that you have.",
  more: [],
  actions: hasUnusedKey ? [] : ["buy", "redeem"],
  key: null,
  paymentId: null,
});

/** Rounded down, so that it never promises too much. */
function leftText(milliseconds: number): string {
  const [size, unit] =
    milliseconds > day
      ? ([day, "day"] as const)
      : milliseconds > hour
        ? ([hour, "hour"] as const)
        : ([minute, "minute"] as const);
  const count = Math.floor(milliseconds / size);
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
