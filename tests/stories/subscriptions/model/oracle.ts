/*
 * What must stand of subscriptions, by what Stripe holds and what the shop's people decided: a second implementation of
 * the contract's rules 4 to 6 ("How it follows"). It imports nothing, least of all the shop. All times are Unix seconds,
 * all amounts minor units.
 */

/** Where the contract leaves two answers, both. */
type OneOf<T> = readonly T[];

/** `credits`: the invoice whose unused time it gives back. */
export type Line = { item: string | null; amount: number; end: number; credits: string | null };
/** One that stands: succeeded, or pending. */
export type Refund = { id: string; amount: number; at: number };
/** `at`: when it took the money. Stripe doesn't say when it was lost. */
export type Dispute = { status: string; at: number };

export type Invoice = {
  id: string;
  isFirst: boolean;
  status: "draft" | "open" | "paid" | "uncollectible" | "void";
  created: number;
  /** Stripe has tried to charge it. */
  attempted: boolean;
  /** Stripe goes on with it by itself. */
  advances: boolean;
  paidAt: number | null;
  lines: Line[];
  /** What payment intents brought. */
  received: number;
  refunds: Refund[];
  /** A refund of it failed, which stood until then. */
  refundFailed: boolean;
  disputes: Dispute[];
  onItsWay: boolean;
  /** How often Stripe has tried to charge it. */
  tries: number;
  /** The bank moves it, so that nobody can void it. */
  processing: boolean;
};

export type Subscription = {
  id: string;
  session: string;
  created: number;
  status: string;
  endedAt: number | null;
  cancelAt: number | null;
  cancelAtPeriodEnd: boolean;
  collectionPaused: boolean;
  trialStart: number | null;
  trialEnd: number | null;
  periodEnd: number;
  /** The item that the offer is sold by. */
  ownItem: string;
  email: string | null;
  /** What all its items cost in a year. */
  yearly: number;
  /** Oldest first. */
  invoices: Invoice[];
};

/** What people decided about a subscription in the shop. */
export type Decided = {
  /** The account that bought it signed in. */
  buyer: string | null;
  /** The account that holds its licence, and since when, if it redeemed a guest's key. */
  holder: string | null;
  redeemedAt: number | null;
  /** What it was sold with, and what it is billed for. */
  sold: Worth;
  billed: Worth;
  /** All that it was billed for after a switch, by now or before. */
  switchedTo: Worth[];
  revokedAt: number | null;
  suspended: boolean;
  days: { at: number; days: number; paidUntil: number } | null;
};

/** On how many computers a licence is used, and the place of its level, of which each includes those before. */
export type Worth = { seats: number; level: number };

/** A lifetime that an account has, or had until a moment. */
export type Lifetime = Worth & {
  account: string;
  since: number;
  /** When the shop had heard of it; null if not yet. */
  knownAt: number | null;
  until: number | null;
};

/** All of one world. */
export type Facts = {
  now: number;
  /** With the card that paid in the checkout. */
  subscriptions: (Subscription & { offer: string; card: string; decided: Decided })[];
  lifetimes: Lifetime[];
  /** The refunds that the shop made by itself. */
  madeByShop: ReadonlySet<string>;
  /** The refunds that staff made with `--keep`. */
  kept: ReadonlySet<string>;
};

type Held = Facts["subscriptions"][number];

export type Standing = "ended" | "pending" | "paused" | "past_due" | "ending" | "trialing" | "active";
export type PaymentState = "good" | "disputed" | "refunded" | "revoked";

export type Expected = {
  standing: OneOf<Standing>;
  /** Whether it is the shop's to list: pending only while its money is on its way. */
  isListed: OneOf<boolean>;
  /** Whether its checkout sold anything. */
  sold: OneOf<boolean>;
  state: OneOf<PaymentState>;
  /** Until when its licence is good by what was paid, grace included; null if nothing entitles. */
  until: OneOf<number> | null;
  /** The end of what was paid, without grace; null if nothing was. */
  paid: number | null;
  /** The latest that it may be without staff's days. */
  latest: number | null;
  /** The licence's end, days from staff included. */
  ends: OneOf<number>;
  entitled: OneOf<boolean>;
  /** Why it has to be ended at Stripe now; null if it need not. */
  over: string | null;
  /** Whether it may also be over for another reason, or not at all. */
  isUnsure: boolean;
  /** By when a lifetime ends it; null if none does. */
  endsBy: number | null;
  /** The invoices that nobody may be able to pay any more. */
  unpayable: string[];
  /** What of each invoice's money the shop gives back, besides what others gave back. */
  givenBack: Map<string, OneOf<number>>;
  /** The refunds that the shop made by itself. */
  shops: ReadonlySet<string>;
};

const day = 86_400;
const grace = 3 * day;
const graceOnItsWay = 14 * day;
/** Nobody can say which of two things in the same moment came first. */
const blur = 3;

export function expectedOf(facts: Facts): Map<string, Expected> {
  return new Map(facts.subscriptions.map((one) => [one.id, expected(facts, one)]));
}

// rule 4

const first = ({ invoices }: Held) => invoices.find(({ isFirst }) => isFirst);
const isPaid = ({ status }: Invoice) => status === "paid";
/** When its first money came, or its trial began. */
function beganAt(one: Held): number | null {
  const invoice = first(one);
  if (!invoice || !isPaid(invoice)) return null;
  const isTrial = one.trialStart !== null && invoice.lines.every(({ amount }) => amount === 0);
  return isTrial ? one.trialStart : invoice.paidAt;
}

/** The end of what an invoice asks for of the own item; a trial's lines last as long as Stripe says now. */
function endOf(one: Held, { lines }: Invoice): number | null {
  const asked = lines.filter(
    ({ item, amount }) => item === one.ownItem && (amount > 0 || (amount === 0 && one.trialEnd === null)),
  );
  return asked.length === 0 ? null : Math.max(...asked.map(({ end }) => end));
}

/** Paid, and not with the credit of time that nobody paid. */
const isReal = (one: Held, invoice: Invoice): boolean =>
  isPaid(invoice) &&
  invoice.lines.every(({ credits }) => {
    const credited = one.invoices.find(({ id }) => id === credits);
    return !credited || isReal(one, credited);
  });

/** The end of what was paid, or of the trial. */
function paidUntil(one: Held): number {
  const ends = one.invoices
    .filter((invoice) => isReal(one, invoice))
    .flatMap((invoice) => endOf(one, invoice) ?? []);
  const trial = beganAt(one) !== null && one.trialEnd !== null ? [one.trialEnd] : [];
  return Math.max(one.created, ...ends, ...trial);
}

const isAsked = ({ status }: Invoice) => status === "open" || status === "uncollectible";
const isDue = (one: Invoice) => isAsked(one) && one.attempted && !one.onItsWay;
const isComing = (one: Invoice) =>
  (one.status === "draft" && one.advances) || (one.status === "open" && !one.attempted && !one.onItsWay);
const isOnItsWay = (one: Invoice) => isAsked(one) && one.onItsWay;

const isOver = ({ endedAt, status }: Held) =>
  endedAt !== null || status === "canceled" || status === "incomplete_expired";

/** No charge lies before its end. */
const isSetToEnd = ({ cancelAt, cancelAtPeriodEnd, periodEnd }: Held) =>
  cancelAtPeriodEnd || (cancelAt !== null && cancelAt <= periodEnd);

function standingOf(one: Held, now: number): OneOf<Standing> {
  if (isOver(one)) return ["ended"];
  if (beganAt(one) === null) return ["pending"];
  if (one.status === "paused" || one.collectionPaused) return ["paused"];
  const newest = one.invoices.findLast(({ status }) => status !== "draft");
  const isAnyDue = one.invoices.some(isDue);
  const owes = one.invoices.some((invoice) => isDue(invoice) || isComing(invoice) || isOnItsWay(invoice));
  if (one.status !== "unpaid" && paidUntil(one) <= now && !owes) return ["paused"];
  if (one.status === "unpaid" || (newest && isDue(newest)))
    // a new period's draft is no news to who owes the one before
    return one.status !== "unpaid" && one.invoices.some(isComing) ? ["past_due", "active"] : ["past_due"];
  const rest: OneOf<Standing> = isSetToEnd(one)
    ? owes
      ? ["ending", "active"]
      : ["ending"]
    : [one.status === "trialing" ? "trialing" : "active"];
  // an older one is due, and the newest was voided
  return isAnyDue ? ["past_due", "paused", ...rest] : rest;
}

/** Until when it entitles while everything is good. */
function goodUntil(one: Held, now: number): OneOf<number> {
  const paid = paidUntil(one);
  const [standing] = standingOf(one, now);
  if (standing === "ended" || standing === "paused") return [paid];
  // grace belongs to the charge that follows what was paid
  const owed = one.invoices.filter(
    (invoice) =>
      (isDue(invoice) || isComing(invoice) || isOnItsWay(invoice)) && (endOf(one, invoice) ?? paid) >= paid,
  );
  const isStuck = (invoice: Invoice) => invoice.status === "draft" && invoice.created + day < now;
  const waits = owed.filter((invoice) => isOnItsWay(invoice) || isStuck(invoice));
  const newest = owed.at(-1);
  // no event tells that a debit has begun or begun again, and the rule doesn't say whether a newer one that failed puts the end back
  if (newest && waits.length > 0)
    return waits.includes(newest) && newest.created + day < now && newest.tries === 1
      ? [paid + graceOnItsWay]
      : [paid + graceOnItsWay, paid + grace];
  return newest || standing === "past_due" || !isSetToEnd(one) ? [paid + grace] : [paid];
}

// rule 6

const takesMoney = ["needs_response", "under_review", "appeal_needs_response", "appeal_under_review"];

/** When the last of an invoice's money went back, by others than `--keep`; null if some is left. */
function backAt({ kept }: Facts, { received, refunds }: Invoice): number | null {
  let left = received;
  for (const { id, amount, at } of refunds.toSorted((a, b) => a.at - b.at)) {
    if (kept.has(id)) continue;
    left -= amount;
    if (left <= 0) return at;
  }
  return null;
}

/** When the money of the period that ran went back: the licence fell then; null if it did not. */
function fellAt(facts: Facts, one: Held): OneOf<number | null> {
  const paid = one.invoices.filter(isPaid);
  const periods = Map.groupBy(
    paid.filter(({ received }) => received > 0),
    (invoice) => endOf(one, invoice),
  );
  const falls: { at: number; sure: boolean }[] = [];
  for (const [end, invoices] of periods) {
    const backs = invoices.map((invoice) => backAt(facts, invoice));
    if (end === null || backs.includes(null)) continue;
    const at = Math.max(...backs.map((back) => back ?? 0));
    if (at >= end + blur) continue;
    const later = paid.filter((invoice) => (endOf(one, invoice) ?? 0) > end).map(({ paidAt }) => paidAt ?? 0);
    if (later.some((moment) => moment < at - blur)) continue;
    falls.push({ at, sure: at < end - blur && !later.some((moment) => moment <= at + blur) });
  }
  const sure = falls.filter((fall) => fall.sure);
  if (falls.length === 0) return [null];
  const earliest = Math.min(...(sure.length > 0 ? sure : falls).map(({ at }) => at));
  return sure.length > 0 ? [earliest] : [earliest, null];
}

function stateOf(facts: Facts, one: Held): OneOf<PaymentState> {
  const disputes = one.invoices.filter(isPaid).flatMap((invoice) => invoice.disputes);
  if (disputes.some(({ status }) => status === "lost")) return ["revoked"];
  if (disputes.some(({ status }) => takesMoney.includes(status))) return ["disputed"];
  return fellAt(facts, one).map((at) => (at === null ? "good" : "refunded"));
}

/** When the first of the disputes that were lost took its money: the licence has been good for nothing since. */
function lostAt(one: Held): number | null {
  const times = one.invoices
    .flatMap(({ disputes }) => disputes)
    .filter(({ status }) => status === "lost")
    .map(({ at }) => at);
  return times.length === 0 ? null : Math.min(...times);
}

// rule 5

/** Another that the same account bought itself had begun before it and had not ended then. */
function isDuplicate(facts: Facts, one: Held): OneOf<boolean> {
  const began = beganAt(one);
  const before = facts.subscriptions.filter((other) => {
    const its = beganAt(other);
    const isOwn = other.decided.buyer !== null && other.decided.buyer === one.decided.buyer;
    if (other.id === one.id || !isOwn || its === null) return false;
    if (began === null) return !isOver(other);
    const [mine, others] = [
      [began, one.created],
      [its, other.created],
    ] as const;
    const order = others[0] - mine[0] || others[1] - mine[1] || (other.id < one.id ? -1 : 1);
    return order < 0 && (other.endedAt === null || other.endedAt > began);
  });
  // what sells nothing is in nobody's way
  if (before.some((other) => isUnwanted(facts, other)[0] === false && !isSecondTrial(facts, other)))
    return [true];
  return before.length > 0 ? [true, false] : [false];
}

const held = ({ lifetimes }: Facts, account: string | null, { seats, level }: Worth) =>
  lifetimes.filter((one) => one.account === account && one.seats >= seats && one.level >= level);

/** Whether a lifetime that its account had at any time covers what it was billed for at any time. */
export const mayEndForLife = (facts: Facts, { decided }: Held): boolean =>
  [decided.holder, decided.buyer].some((account) =>
    [decided.sold, decided.billed, ...decided.switchedTo].some(
      (worth) => held(facts, account, worth).length > 0,
    ),
  );

/** Whether its first money came although it was not to come any more: it had ended, or a lifetime was held. */
function isUnwanted(facts: Facts, one: Held): OneOf<boolean> {
  const began = beganAt(one);
  if (began === null) return [false];
  if (one.endedAt !== null && one.endedAt < began) return [true];
  const lifetimes = held(facts, one.decided.buyer, one.decided.sold);
  const before = lifetimes.filter(({ since }) => since < began + blur);
  if (before.length === 0) return [false];
  // paid for at the same time, and heard of in either order
  const isSure = before.some(
    ({ knownAt, until }) => knownAt !== null && knownAt < began - blur && until === null,
  );
  return isSure ? [true] : [true, false];
}

/** Somebody had the trial before: its account, its address or its card. */
function isSecondTrial({ subscriptions }: Facts, one: Held): boolean {
  if (one.trialStart === null || beganAt(one) !== one.trialStart) return false;
  const start = one.trialStart;
  return subscriptions.some(
    (other) =>
      other.id !== one.id &&
      other.trialStart !== null &&
      beganAt(other) === other.trialStart &&
      (other.trialStart < start || (other.trialStart === start && other.id < one.id)) &&
      ((one.decided.buyer !== null && other.decided.buyer === one.decided.buyer) ||
        (one.decided.buyer !== null &&
          other.decided.holder === one.decided.buyer &&
          (other.decided.redeemedAt ?? Infinity) < start) ||
        (one.email !== null && other.email === one.email) ||
        other.card === one.card),
  );
}

type Over = { why: string; at: number | null };

/** Why nothing may be charged for it any more, and since when; null as the moment means never. */
function overOf(facts: Facts, one: Held): OneOf<Over | null> {
  if (isSecondTrial(facts, one)) return [{ why: "second trial", at: null }];
  const unwanted = isUnwanted(facts, one);
  const duplicate = isDuplicate(facts, one);
  const never: Over[] = [
    ...(unwanted[0] === true ? [{ why: "unwanted", at: null }] : []),
    ...(duplicate[0] === true ? [{ why: "duplicate", at: null }] : []),
  ];
  if ((unwanted[0] === true && unwanted.length === 1) || (duplicate[0] === true && duplicate.length === 1))
    return never.slice(0, unwanted.length === 1 ? 1 : 2);
  return [...never, ...takenAt(facts, one)];
}

/** The same by what people and banks took back. */
function takenAt(facts: Facts, one: Held): OneOf<Over | null> {
  if (beganAt(one) === null) return [null];
  const falls = fellAt(facts, one);
  const lost = lostAt(one);
  const reasons = [
    ...(one.decided.revokedAt === null ? [] : [{ why: "revoked", at: one.decided.revokedAt }]),
    ...(lost === null ? [] : [{ why: "lost", at: lost }]),
    ...(typeof falls[0] === "number" ? [{ why: "refunded", at: falls[0] }] : []),
  ].toSorted((a, b) => a.at - b.at);
  const [earliest] = reasons;
  if (!earliest) return [null];
  return falls.includes(null) && reasons.every(({ why }) => why === "refunded")
    ? [earliest, null]
    : [earliest];
}

function givenBack(facts: Facts, one: Held, over: OneOf<Over | null>, invoice: Invoice): OneOf<number> {
  const { received, refunds, disputes, paidAt, isFirst } = invoice;
  const others = refunds.filter(({ id }) => !facts.madeByShop.has(id));
  const left = received - others.reduce((sum, { amount }) => sum + amount, 0);
  if (received === 0) return [0];
  const all = left <= 0 ? 0 : left;
  const either = [0, all];
  // a part of what is still open, and a later period of what never began
  if (!isPaid(invoice) || paidAt === null || beganAt(one) === null) return either;
  // what a bank took back, or asks for, is not ours to give; once it is settled, nobody says
  if (disputes.length > 0) return either;
  // it may have gone back before others gave back a part, or failed to
  if (over.length > 1) return either;
  const why = over[0] ?? null;
  if (why?.why === "duplicate" || why?.why === "unwanted" || why?.why === "second trial") return [all];
  if (why && why.at !== null && !isFirst) {
    if (Math.abs(paidAt - why.at) <= blur) return either;
    if (paidAt > why.at) return [all];
  }
  if (facts.kept.size > 0 && refunds.some(({ id }) => facts.kept.has(id))) return either;
  const end = endOf(one, invoice);
  if (one.endedAt !== null && end !== null) {
    if (paidAt > one.endedAt + blur && paidAt > end + blur) return [all];
    if (paidAt > one.endedAt - blur && paidAt > end - blur) return either;
    // a lifetime ended it: money that was on its way may be kept for the time that it pays
    if (paidAt > one.endedAt && held(facts, one.decided.holder, one.decided.billed).length > 0) return either;
  }
  // it may have gone back while a refund stood that ended the subscription
  return one.invoices.some(({ refundFailed }) => refundFailed) ? either : [0];
}

function expected(facts: Facts, one: Held): Expected {
  const { now } = facts;
  const { decided } = one;
  const over = overOf(facts, one);
  const isSure = over.every((reason) => reason !== null);
  const why = over[0] ?? null;
  const isOnly = (reason: string) => over.every((one) => one?.why === reason);
  const standing = standingOf(one, now);
  const began = beganAt(one) !== null;
  const isSecond = isOnly("second trial");
  // a second trial that was heard of first was sold by then
  const maySellNothing = over.some((reason) => reason?.why === "unwanted");
  const sold: OneOf<boolean> =
    !began || isOnly("unwanted") ? [false] : isSecond || maySellNothing ? [false, true] : [true];
  const until = began ? goodUntil(one, now) : null;
  const state = stateOf(facts, one);
  const stretch =
    decided.days === null ? 0 : Math.max(decided.days.at, decided.days.paidUntil) + decided.days.days * day;
  const ends = (until ?? []).map((at) => Math.max(at, stretch));
  const stands = decided.revokedAt === null && !decided.suspended;
  const goods = until === null ? [false] : ends.map((at) => at > now && stands);
  const lifetimes = held(facts, decided.holder ?? decided.buyer, decided.billed).filter(
    (life) => life.until === null,
  );
  const isPayable = (invoice: Invoice) => isAsked(invoice) && !invoice.processing;
  const isEndedByLife = lifetimes.length > 0;
  const paid = paidUntil(one);
  const stops = (isSure && why !== null) || isEndedByLife;
  return {
    standing,
    isListed: [
      sold[0] === true ||
        (!began && !isOver(one) && one.invoices.some((invoice) => invoice.isFirst && isOnItsWay(invoice))),
    ],
    sold,
    state,
    until,
    paid: began ? paid : null,
    latest: began ? paid + graceOnItsWay : null,
    ends,
    // what is given back entitles nobody, and a second trial that ran for nothing no longer
    entitled:
      isOnly("duplicate") || isSecond
        ? isOver(one) && decided.days === null
          ? [false]
          : [false, true]
        : [
            ...new Set(
              sold.flatMap((is) =>
                state.flatMap((how) => goods.map((isGood) => is && isGood && how === "good")),
              ),
            ),
          ],
    over: isSure && why !== null ? why.why : null,
    isUnsure: over.length > 1,
    endsBy: isEndedByLife && !isOver(one) ? (began ? paid : now) : null,
    unpayable: one.invoices
      .filter(isPayable)
      .filter((invoice) => {
        if (stops) return true;
        const isLate = (endOf(one, invoice) ?? now) <= now - blur;
        return isLate && (isOver(one) || one.status === "unpaid");
      })
      .map(({ id }) => id),
    shops: facts.madeByShop,
    givenBack: new Map(one.invoices.map((invoice) => [invoice.id, givenBack(facts, one, over, invoice)])),
  };
}
