import { isoDay } from "@/contract/vocabulary/dates";
import { hour } from "@/contract/vocabulary/time";
import { operator } from "@/core/base/actor";
import { figures } from "@/domain/figures/figures";
import { type Expected, expectedOf, type Facts, mayEndForLife } from "./oracle";
import type { Row, World } from "./world";

const strict = process.env["MODEL_STRICT"] !== undefined;

type Fact = Facts["subscriptions"][number];

const seconds = (value: unknown): number | null => (value === null ? null : Math.floor(Number(value) / 1000));

/** What the shop and Stripe hold otherwise than they should; empty if all is right. */
export async function faultsOf(world: World): Promise<string[]> {
  const facts = world.facts();
  const expected = expectedOf(facts);
  const rows = await shopRows(world);
  const endedForLife = await sessionsEndedForLife(world);
  const faults: string[] = [];
  for (const one of facts.subscriptions) {
    const due = expected.get(one.id);
    if (!due) continue;
    if (isKnown(one, facts)) continue;
    const say = (what: string) => void faults.push(`${one.offer} ${one.id.slice(-4)}: ${what}`);
    const judged = { one, due, now: facts.now, say };
    inShop(rows.get(one.session), judged);
    atStripe(judged);
    if (endedForLife.has(one.session) && !mayEndForLife(facts, one))
      say("was ended by the shop although no lifetime covers it");
    cards(world, judged);
  }
  world.newDefaults.clear();
  for (const { name } of world.accounts) {
    const own = facts.subscriptions.filter(
      ({ decided, endedAt }) => decided.buyer === name && endedAt === null,
    );
    if (own.some((one) => isKnown(one, facts))) continue;
    const begun = own.filter(({ id }) => expected.get(id)?.until !== null);
    if (begun.length > 1) faults.push(`${name} has ${begun.length} that run`);
    if (begun.length === 1 && own.length > 1) faults.push(`${name} has one that waits beside one that runs`);
  }
  faults.push(
    ...(await asCustomersSee(world, facts, expected)),
    ...(await inFigures(world, { facts, expected })),
  );
  return faults;
}

/** The orders whose subscriptions the shop ended because of a lifetime. */
async function sessionsEndedForLife(world: World): Promise<Set<unknown>> {
  const rows = await world.rows(
    "SELECT session_id FROM payments WHERE id IN (SELECT subject FROM audit_log WHERE action = 'subscription.cancelled' AND detail ->> 'reason' = 'lifetime')",
    [],
  );
  return new Set(rows.map((row) => row["session_id"]));
}

/** Reported, and not mended yet; `MODEL_STRICT=1` shows it. */
function isKnown(one: Fact, { subscriptions }: Facts): boolean {
  const first = one.invoices.find(({ isFirst }) => isFirst);
  const redeemed = subscriptions.filter(
    ({ decided, trialStart }) => trialStart !== null && decided.buyer === null && decided.holder !== null,
  );
  return (
    !strict &&
    // a redeemed trial counts as its account's from its beginning on
    ((one.trialStart !== null && redeemed.length > 0) ||
      // nobody looks at what never began and is tried again, or stays open
      (first !== undefined &&
        first.status !== "paid" &&
        (first.tries > 1 || (one.endedAt !== null && !first.onItsWay))))
  );
}

type ShopRow = { row: Row; paid: Row[] };

async function shopRows(world: World): Promise<Map<string, ShopRow>> {
  const sessions = world.bought.map(({ session }) => session);
  const places = sessions.map(() => "?").join();
  const rows = await world.rows(
    `SELECT payments.session_id AS session, payments.sold_at, payments.state, subscriptions.status, subscriptions.renews_at, subscriptions.ends_at, licences.paid_until,
       licences.payment_standing AS standing, licences.expires_at, licences.revoked_at, licences.suspended_at, licences.account_id
     FROM payments LEFT JOIN subscriptions ON subscriptions.id = payments.id LEFT JOIN licences ON licences.payment_id = payments.id
     WHERE payments.session_id IN (${places})`,
    sessions,
  );
  const paid = await world.rows(
    `SELECT session_id AS id, paid_amount AS paid, refunded_amount AS refunded FROM payments
     WHERE subscription IN (SELECT subscription FROM payments WHERE session_id IN (${places})) AND sold_at IS NOT NULL`,
    sessions,
  );
  return new Map(rows.map((row) => [String(row["session"]), { row, paid }]));
}

/** One subscription, what is due of it, and where to say what differs. */
type Judged = { one: Fact; due: Expected; now: number; say: (what: string) => void };

function inShop(held: ShopRow | undefined, { one, due, now, say }: Judged) {
  const row = held?.row;
  const isSold = row !== undefined && row["sold_at"] !== null;
  if (!due.sold.includes(isSold))
    say(`${isSold ? "sold" : "not sold"}, and should ${isSold ? "not " : ""}be`);
  if (!isSold || !due.sold.includes(true)) return;
  const isOver = due.over !== null || due.isUnsure || due.state[0] === "refunded";
  if (!due.standing.includes(row["status"] as never))
    say(`is ${row["status"]}, should be ${due.standing.join(" or ")}`);
  const [standing, ...more] = due.standing;
  if (more.length === 0) {
    const runs = standing === "active" || standing === "trialing";
    const renews = seconds(row["renews_at"] ?? null);
    if (runs && renews !== one.periodEnd)
      say(`renews ${ago(renews, now)}, should ${ago(one.periodEnd, now)}`);
    const ends = seconds(row["ends_at"] ?? null);
    const should = one.endedAt ?? one.cancelAt ?? (one.cancelAtPeriodEnd ? one.periodEnd : null);
    if (ends !== should) say(`ends ${ago(ends, now)}, should ${ago(should, now)}`);
  }
  // an end for good hides the rest
  if (one.decided.revokedAt === null && !isOver && !due.state.includes(row["standing"] as never))
    say(`its money is ${row["standing"]}, should be ${due.state.join(" or ")}`);
  const until = seconds(row["paid_until"] ?? null);
  const all = (times: readonly number[]) => times.map((at) => ago(at, now)).join(" or ");
  if (!isOver && until !== null && due.until?.includes(until) !== true)
    say(`is paid until ${ago(until, now)}, should be ${all(due.until ?? [])}`);
  // known: what ended as a duplicate is good until it was found, however late that was
  if (until !== null && due.latest !== null && until > due.latest && (strict || due.over !== "duplicate"))
    say("lasts longer than fourteen days beyond what was paid");
  const stands = row["standing"] === "good" && row["revoked_at"] === null && row["suspended_at"] === null;
  const expiry = seconds(row["expires_at"] ?? null);
  const end = Math.max(until ?? 0, expiry ?? 0);
  const isEntitled = stands && end > now;
  if (!isOver && stands && expiry !== null && !due.ends.some((at) => Math.abs(at - expiry) <= 2))
    say(`expires ${ago(expiry, now)}, should ${all(due.ends)}`);
  // days of a key that nobody redeemed begin with its redemption
  const isWaiting = one.decided.days !== null && row["account_id"] === null;
  if (!isWaiting && !due.entitled.includes(isEntitled))
    say(`${isEntitled ? "entitles" : "does not entitle"} until ${ago(end, now)}, ${all(due.ends)}`);
  for (const invoice of one.invoices.filter(({ status }) => status === "paid")) {
    const id = invoice.isFirst ? one.session : invoice.id;
    const payment = held?.paid.find((other) => other["id"] === id);
    const back = invoice.refunds.reduce((sum, { amount }) => sum + amount, 0);
    if (!payment) say(`the payment of ${ago(invoice.paidAt, now)} is missing`);
    else if (Number(payment["paid"]) !== invoice.received || Number(payment["refunded"]) !== back)
      say(`a payment of ${payment["paid"]} − ${payment["refunded"]} should be ${invoice.received} − ${back}`);
  }
}

function atStripe({ one, due, now, say }: Judged) {
  const isEnded = one.endedAt !== null;
  if (due.over !== null && !isEnded) say(`runs at Stripe although ${due.over}`);
  if (due.over !== null && one.invoices.some(({ status, advances }) => status === "draft" && advances))
    say("a draft will be charged");
  if (due.endsBy !== null && !isEnded) {
    const ends = one.cancelAt ?? (one.cancelAtPeriodEnd ? one.periodEnd : Infinity);
    if (ends > Math.max(due.endsBy, now) + hour / 1000)
      say(`ends ${ago(ends, now)} beside a lifetime, should ${ago(due.endsBy, now)}`);
  }
  for (const id of due.unpayable) {
    const invoice = one.invoices.find((other) => other.id === id);
    say(`an invoice of ${ago(invoice?.created ?? 0, now)} is ${invoice?.status}, and nothing may be charged`);
  }
  for (const { id, refunds, received, isFirst } of one.invoices) {
    const back = refunds
      .filter((refund) => due.shops.has(refund.id))
      .reduce((sum, { amount }) => sum + amount, 0);
    const wanted = due.givenBack.get(id) ?? [0];
    if (!wanted.includes(back))
      say(
        `the shop gave ${back} of ${received} back of ${isFirst ? "the first" : "a later"} invoice, should ${wanted.join(" or ")}`,
      );
  }
}

/** A new default becomes the subscription's, and nothing else changes what it is charged to. */
function cards(world: World, { one: { id, endedAt }, due, say }: Judged) {
  const held = world.ledger.subscriptions.get(id);
  const customer = world.ledger.customers.get(held?.customer ?? "");
  if (!held || !customer || customer.deleted || endedAt !== null) return;
  const own = held.default_payment_method;
  const general = customer.invoice_settings.default_payment_method;
  const before = world.ownCards.get(id);
  // the first look only stores what it finds
  const wanted = before === undefined ? own : world.newDefaults.has(id) ? general : before;
  if (own !== wanted && due.over === null) say(`is charged to ${own}, should be to ${wanted}`);
  if (due.sold[0] === true && due.until !== null) world.ownCards.set(id, own);
}

const ago = (at: number | null, now: number) =>
  at === null ? "never" : `${((at - now) / 86_400).toFixed(2)} days from now`;

/** What runs is worth what it costs; trials, pauses and second ones are worth nothing. */
async function inFigures(
  { stage: { ctx } }: World,
  { facts, expected }: { facts: Facts; expected: Map<string, Expected> },
): Promise<string[]> {
  let yearly = 0;
  for (const one of facts.subscriptions) {
    const due = expected.get(one.id);
    if (!due || isKnown(one, facts) || due.isUnsure || due.standing.length > 1 || due.sold.length > 1)
      return [];
    const [standing] = due.standing;
    const isCounted =
      standing === "active" ||
      standing === "ending" ||
      (standing === "past_due" && (due.until?.[0] ?? 0) > facts.now);
    // a trial, also one that somebody gave by hand, is worth nothing
    const runs = isCounted && one.status !== "trialing";
    if (due.sold[0] && due.over === null && runs) yearly += one.yearly;
  }
  const today = { from: isoDay(ctx.now()), to: isoDay(ctx.now()), currency: "usd" };
  const shown = async () => (await figures(ctx, operator, today)).totals.mrr;
  const wanted = Math.round(yearly / 12);
  const mrr = await shown();
  return mrr === wanted ? [] : [`${mrr} a month recur, should be ${wanted}`];
}

/** What the accounts' own pages say. */
async function asCustomersSee(
  world: World,
  facts: Facts,
  expected: Map<string, Expected>,
): Promise<string[]> {
  const faults: string[] = [];
  for (const account of world.accounts) {
    const own = facts.subscriptions.filter(({ decided }) => decided.buyer === account.name);
    if (own.length === 0) continue;
    await world.signIn(account);
    const [listed, me] = [
      (await account.person.get("/api/subscriptions")).body.data as { status: string }[],
      (await account.person.get("/api/user/me")).body.data as { active_license: boolean },
    ];
    const due = own.flatMap(({ id }) => expected.get(id) ?? []);
    const sure = due.filter(({ isListed }) => isListed.length === 1 && isListed[0]);
    const unsure = due.filter(({ sold }) => sold.length > 1);
    // two can wait only if both were paid for before the shop heard of either; it may show one
    const waiting = Math.max(0, sure.filter(({ standing }) => standing[0] === "pending").length - 1);
    if (own.some((one) => isKnown(one, facts))) continue;
    if (listed.length < sure.length - waiting || listed.length > sure.length + unsure.length)
      faults.push(
        `${account.name} sees ${listed.map(({ status }) => status).join()} of ${sure.map(({ standing }) => standing[0]).join()}`,
      );
    const lives = world.lives.filter((life) => life.account === account);
    const holds = facts.subscriptions.filter(({ decided }) => decided.holder === account.name);
    // what was sold to who holds a lifetime is a key to give away
    const isSure = lives.length === 0;
    const isEntitled =
      isSure && holds.some(({ id }) => expected.get(id)?.entitled.every((is) => is) === true);
    const isForLife = lives.some(({ until }) => until === null);
    const isNot =
      holds.every(({ id }) => expected.get(id)?.entitled.every((is) => !is) === true) && !isForLife;
    if ((isEntitled || isForLife) && !me.active_license)
      faults.push(`${account.name} is entitled and shown as not`);
    if (isNot && facts.now > world.begunAt + 2 * 86_400 && me.active_license)
      faults.push(`${account.name} is shown as entitled and is not`);
  }
  return faults;
}
