import { brand } from "@/brand/brand";
import { token } from "@/brand/token";
import { licenceEnd } from "@/contract/vocabulary/licence-end";
import { money } from "@/contract/vocabulary/money";
import { licenceWords, ownSubscriptionWords, ownWords } from "@/contract/vocabulary/state-words";
import { counted, day, hour, minute } from "@/contract/vocabulary/time";
import type { Licence, UnusedKey } from "@/contract/wire/licences";
import type { Offer } from "@/contract/wire/offers";
import type { Payment } from "@/contract/wire/payments";
import type { Subscription } from "@/contract/wire/subscriptions";
import { formatDay } from "../format-time";
import type { Reach } from "../own-system";
import { disputeSentence, type Inactive, inactiveWords, isDisputed } from "./inactive-words";
import { type PastDue, pastDueSentence } from "./past-due";
import type { PlanAction, StatusAction } from "./status-action";
import { subscriptionStatusText } from "./subscription-words";

/** Where a customer stands, and what they can do about it, the likeliest first: the same at home, on License and above all pages. */
export type AccountStatus = {
  state:
    | "none"
    | "unused"
    | "ready"
    | "running"
    | "trial"
    | "ending"
    | "past_due"
    | "paused"
    | "pending"
    | Inactive;
  /** `["Wisp Premium", "Active", "until Dec 23, 2026"]`. */
  title: string[];
  sentence: string | null;
  primary: StatusAction | null;
  quiet: StatusAction[];
  /** About its subscription, on the page of plans; elsewhere a link leads there. */
  billing: PlanAction[];
  licence: Licence | null;
  subscription: string | null;
  /** As in the list of payments. */
  payment: string | null;
  /** What `renew`, `upgrade` and `buy` choose first. */
  offer: Offer | null;
};

/** What the API answers; lists are empty while that isn't known. */
export type KnownAccount = {
  /** Newest redemption first. */
  licences: readonly Licence[];
  unused: readonly UnusedKey[];
  subscriptions: readonly Subscription[];
  payments: readonly Payment[];
  offers: readonly Offer[];
  pastDue: PastDue | null;
  /** The id of the highest level of which a licence is active. */
  level: string | null;
  /** Whether a computer was attached. */
  installed: boolean;
  /** Whether this browser downloaded the application. */
  downloaded: boolean;
  reach: Reach;
  now: Date;
};

export function accountStatus(all: KnownAccount): AccountStatus {
  const known = { ...all, licences: asOfNow(all) };
  const { licences, pastDue } = known;
  const lasting = deciding(known);
  if (pastDue) return pastDueStatus(pastDue, known);
  if (lasting) return activeStatus(lasting, known);
  const held = licences.find(isHeld("disputed")) ?? licences.find(isHeld("suspended"));
  const status = held
    ? inactiveStatus(held, known)
    : (pendingStatus(known) ?? endedStatus(known) ?? noLicence(known));
  return known.unused.length > 0 ? withUnused(status) : status;
}

/** What is on sale and adds something to the account: no second subscription beside a running one. */
export function addingTo({ offers, subscriptions }: Pick<KnownAccount, "offers" | "subscriptions">): Offer[] {
  const subscribed = subscriptions.some(({ status }) => status !== "ended");
  return offers.filter(({ adds, recurring }) => adds !== false && !(subscribed && recurring !== null));
}

/** What else has to be asked for an account's status: nothing for most. */
export function alsoNeeded({ licences, level, now }: Pick<KnownAccount, "licences" | "level" | "now">) {
  const lasting = deciding({ licences: asOfNow({ licences, now }), level });
  return {
    payments: !lasting || isDisputed(licences),
    subscriptions: !lasting || licences.some(({ subscription }) => subscription !== null),
    offers: !lasting || endOf(lasting) - now.getTime() <= soon,
  };
}

/** From here on an end is something to do about. */
const soon = 7 * day;

/** A licence's level; until it is known, what the brand sells. */
const nameOf = (licence: Licence | null): string => licence?.level.name ?? brand.premium.name;

const nothing = {
  sentence: null,
  quiet: [],
  billing: [],
  licence: null,
  subscription: null,
  payment: null,
  offer: null,
};

/** What an account gains first by buying: more time of a licence's level, or no end of it any more; else another level. */
function soldTo(
  known: KnownAccount,
  licence?: Licence,
): { verb: "renew" | "upgrade" | "buy"; offer: Offer } | null {
  const adding = addingTo(known);
  const same = licence ? adding.filter(({ level }) => level.id === licence.level.id) : adding;
  const timed = same.find(({ days }) => days !== null);
  const lifetime = same.find(({ recurring }) => recurring === null);
  if (timed) return { verb: "renew", offer: timed };
  if (lifetime) return { verb: "upgrade", offer: lifetime };
  if (same[0]) return { verb: "renew", offer: same[0] };
  return adding[0] ? { verb: "buy", offer: adding[0] } : null;
}

/** The list was fetched a while ago. */
export const asOfNow = ({ licences, now }: Pick<KnownAccount, "licences" | "now">): Licence[] =>
  licences.map((one) =>
    one.status === "active" && endOf(one) <= now.getTime() ? { ...one, status: "expired" as const } : one,
  );

/** Of the active licences of the highest level, the one with the latest end: it is the account's. */
const deciding = ({ licences, level }: Pick<KnownAccount, "licences" | "level">) =>
  latest(
    licences.filter((one) => one.level.id === level),
    "active",
  ) ?? latest(licences, "active");

const latest = (licences: readonly Licence[], which: Licence["status"]) =>
  licences.filter(({ status }) => status === which).toSorted((a, b) => endOf(b) - endOf(a))[0];

const endOf = ({ expiry_date }: Licence) =>
  expiry_date === null ? Number.MAX_SAFE_INTEGER : new Date(expiry_date).getTime();

const isHeld =
  <S extends Inactive>(status: S) =>
  (one: Licence): one is Licence & { status: S } =>
    one.status === status;

/** What brings the application to a computer. */
function installing({
  installed,
  downloaded,
  reach,
}: KnownAccount): Pick<AccountStatus, "primary" | "quiet"> {
  const get = reach === "here" ? "download" : reach;
  return token && !installed && downloaded && reach === "here"
    ? { primary: "token", quiet: [get, "key"] }
    : { primary: get, quiet: ["key"] };
}

function activeStatus(licence: Licence, known: KnownAccount): AccountStatus {
  const { licences, unused, payments, now } = known;
  const subscription = known.subscriptions.find(({ id }) => id === licence.subscription);
  if (subscription && subscription.status !== "ended") return subscribedStatus(subscription, licence, known);
  const end = licenceEnd(licence.expiry_date, licence.renews_at, now);
  const status: AccountStatus = {
    ...nothing,
    ...installing(known),
    state: known.installed ? "running" : "ready",
    title: [nameOf(licence), licenceWords.active.word, end ? `until ${formatDay(end)}` : "for life"],
    licence,
    payment: licence.payment_id,
  };
  const left = end ? end.getTime() - now.getTime() : Infinity;
  // one that renews on its own needs no action, whoever pays for it
  const isOthers = licence.subscription !== null && !subscription;
  if (left > soon || isOthers) return status;
  const ends = `It ends in ${leftText(left)}.`;
  const first = (primary: StatusAction, sentence: string): AccountStatus => ({
    ...status,
    state: "ending",
    sentence: `${ends} ${sentence}`.trim(),
    primary,
    quiet: [...(status.primary ? [status.primary] : []), ...status.quiet],
  });
  const held = licences.find((one) => isDisputed([one]));
  if (held) {
    const sentence = `${ends} ${disputeSentence(paidFor(held, payments))}`;
    return {
      ...status,
      state: "ending",
      sentence,
      quiet: [...status.quiet, "support", ...(held.payment_id === null ? [] : ["payment" as const])],
      payment: held.payment_id,
    };
  }
  if (unused.length > 0) return first("add", `Add your key to keep ${nameOf(licence)}.`);
  const sold = soldTo(known, licence);
  if (!sold) return { ...status, state: "ending", sentence: ends };
  return { ...first(sold.verb, why[sold.verb]), offer: sold.offer };
}

const why = {
  renew: "Time you buy now is added at the end.",
  upgrade: "A lifetime license never ends.",
  buy: "",
};

/** A subscription renews on its own, unless its customer or card ends it. */
export function subscribedStatus(
  one: Subscription,
  licence: Licence | null,
  known: KnownAccount,
): AccountStatus {
  const { status } = one;
  if (status === "past_due") {
    const until = licence?.expiry_date ?? null;
    return pastDueStatus({ subscription: one.id, until }, known);
  }
  const running = known.installed ? "running" : "ready";
  const states = { active: running, ended: running, trialing: "trial", ending: "ending" } as const;
  const forLife = known.licences.some(
    ({ status, expiry_date: end, level: { id } }) =>
      status === "active" && end === null && (!licence || id === licence.level.id || id === known.level),
  );
  const common = {
    ...nothing,
    ...installing(known),
    state: status === "paused" || status === "pending" ? status : states[status],
    title: [nameOf(licence), ownWords(ownSubscriptionWords[status]).word],
    sentence: subscriptionStatusText(one, nameOf(licence)),
    billing: billingOf(one, known, forLife),
    licence,
    subscription: one.id,
    payment: licence?.payment_id ?? null,
  };
  if (status !== "ending" || forLife) return common;
  return {
    ...common,
    primary: "resume",
    quiet: [...(common.primary ? [common.primary] : []), ...common.quiet],
  };
}

/** What can be done about it besides its status's first action, the likeliest first. */
function billingOf(
  { status, ends_at: endsAt, offer }: Subscription,
  { offers }: KnownAccount,
  forLife: boolean,
): PlanAction[] {
  if (status === "pending") return ["drop"];
  if (status === "ended" || (status === "ending" && forLife)) return ["invoices"];
  if (status === "ending") return ["card", "invoices"];
  // a past-due subscription can't be switched
  if (status === "past_due") return [endsAt === null ? "cancel" : "resume", "invoices"];
  const others = offers.some(({ id, recurring }) => recurring !== null && id !== offer);
  return [...(others ? ["switch" as const] : []), "card", "invoices", "cancel"];
}

function pastDueStatus(pastDue: PastDue, known: KnownAccount): AccountStatus {
  const { subscription: id, until } = pastDue;
  const end = until === null ? null : new Date(until);
  const isOver = end !== null && end <= known.now;
  const licence = known.licences.find(({ subscription }) => subscription === id) ?? null;
  const subscription = known.subscriptions.find((one) => one.id === id);
  const { primary } = installing(known);
  return {
    ...nothing,
    state: "past_due",
    title: [
      nameOf(licence),
      ownWords(ownSubscriptionWords.past_due).word,
      ...(end ? [`${isOver ? "ended" : "active until"} ${formatDay(end)}`] : []),
    ],
    sentence: pastDueSentence(pastDue, known.now),
    primary: "card",
    quiet: [...(isOver || primary === null ? [] : [primary]), ...(licence ? ["key" as const] : [])],
    billing: subscription ? billingOf(subscription, known, false) : ["invoices"],
    licence,
    subscription: id,
  };
}

/** Money on its way: nobody has to pay again. */
function pendingStatus({ subscriptions, payments, offers }: KnownAccount): AccountStatus | null {
  const subscription = subscriptions.find(({ status }) => status === "pending");
  const payment = payments.find(({ status }) => status === "processing");
  if (!subscription && !payment) return null;
  const id = payment?.payment_id ?? null;
  const { level } = payment ?? offers.find((one) => one.id === subscription?.offer) ?? {};
  return {
    ...nothing,
    state: "pending",
    title: [level?.name ?? brand.premium.name, ownSubscriptionWords.pending.word],
    sentence: "Your payment is on its way. Your license starts once it arrives.",
    primary: id === null ? null : "payment",
    billing: subscription ? ["drop"] : [],
    subscription: subscription?.id ?? null,
    payment: id,
  };
}

/** The newest licence says why none is active; of those that ran out, the one that ran longest. */
function endedStatus(known: KnownAccount): AccountStatus | null {
  const [newest] = known.licences;
  if (!newest || newest.status === "active") return null;
  const deciding = newest.status === "expired" ? (latest(known.licences, "expired") ?? newest) : newest;
  return inactiveStatus({ ...deciding, status: newest.status }, known);
}

export function inactiveStatus(licence: Licence & { status: Inactive }, known: KnownAccount): AccountStatus {
  const { status, payment_id: payment } = licence;
  const { actions, ...words } = inactiveWords(licence, paidFor(licence, known.payments));
  const sold = soldTo(known, licence);
  // once it has ended, a lifetime is bought, and no upgrade any more
  const buying = status === "refunded" ? "again" : sold?.verb === "renew" ? "renew" : "buy";
  const [primary = null, ...quiet] = actions.flatMap((one): StatusAction[] => {
    if (one === "renew") return sold ? [buying] : [];
    return one === "payment" && payment === null ? [] : [one];
  });
  const subscription = known.subscriptions.find(({ id }) => id === licence.subscription);
  return {
    ...nothing,
    ...words,
    state: status,
    title: [nameOf(licence), ownWords(licenceWords[status]).word],
    primary,
    quiet,
    billing: subscription ? billingOf(subscription, known, false) : [],
    licence,
    subscription: subscription?.id ?? null,
    payment,
    offer: sold?.offer ?? null,
  };
}

function noLicence(known: KnownAccount): AccountStatus {
  const sold = soldTo(known);
  return {
    ...nothing,
    state: "none",
    title: ["No license yet"],
    sentence: sold ? "Buy one, or redeem a key you have." : "Redeem a key you have.",
    primary: sold ? "buy" : "redeem",
    quiet: sold ? ["redeem"] : [],
  };
}

/** A key that was paid for comes before anything that could be bought. */
function withUnused(status: AccountStatus): AccountStatus {
  const { state, sentence, primary, quiet } = status;
  const added = {
    primary: "add" as const,
    quiet: [primary, ...quiet].filter((one) => one === "support" || one === "payment"),
  };
  if (state === "none")
    return {
      ...status,
      ...added,
      state: "unused",
      title: ["You have an unused key"],
      sentence: "Add it to your account to start.",
    };
  const isOver = state === "expired" || state === "refunded";
  return {
    ...status,
    ...added,
    sentence: isOver ? `${sentence} Add your key to keep using ${nameOf(status.licence)}.` : sentence,
  };
}

function paidFor({ payment_id: id }: Licence, payments: readonly Payment[]): string | null {
  const payment = payments.find(({ payment_id }) => id !== null && payment_id === id);
  return payment ? money(payment.bill.paid, payment.bill.currency) : null;
}

/** Rounded down, so that it never promises too much. */
function leftText(milliseconds: number): string {
  const [size, unit] =
    milliseconds > day
      ? ([day, "day"] as const)
      : milliseconds > hour
        ? ([hour, "hour"] as const)
        : ([minute, "minute"] as const);
  return counted(Math.floor(milliseconds / size), unit);
}
