import { eq } from "drizzle-orm";
import Stripe from "stripe";
import { day, hour, minute, second } from "@/contract/vocabulary/time";
import { changeLicence, extendLicence } from "@/domain/licences/changes/change";
import { handOut } from "@/domain/licences/keys/hand-out";
import { licenceOfKey } from "@/domain/licences/keys/find";
import { soldKey } from "@/domain/licences/keys/keys";
import { addOffer } from "@/domain/offers/change";
import { reconcilePayments } from "@/domain/payments/reconcile/reconcile-payments";
import { settleSubject } from "@/domain/payments/settlement/settle";
import { refundPayment } from "@/domain/payments/corrections/refund-payment";
import { Refusal } from "@/core/base/refusal";
import { payments } from "@/domain/schema/payments";
import { deliver, type StripeEvent } from "../../../crash/events";
import { seededRandom } from "../../../crash/random";
import type { Person } from "../../../support/people/person";
import { addLevels } from "../../../support/shop/levels";
import type { Stage } from "../../../support/shop/stage";
import { by, password, stripeOf } from "../subscriber";
import { booksOf } from "./books";
import {
  type Decided,
  expectedOf,
  type Facts,
  type Invoice,
  type Lifetime,
  type Subscription,
  type Worth,
} from "./oracle";

/** What happens next; the numbers choose among what there is then. */
export type Step = { does: keyof typeof steps; n: [number, number, number] };

const offers = [
  {
    id: "month",
    name: "A month",
    amount: 3_000,
    every: "month",
    devices: 1,
    trialDays: null,
    level: "premium",
  },
  {
    id: "team",
    name: "A team",
    amount: 9_000,
    every: "month",
    devices: 5,
    trialDays: null,
    level: "premium",
  },
  { id: "year", name: "A year", amount: 30_000, every: "year", devices: 1, trialDays: null, level: "pro" },
  {
    id: "tried",
    name: "A month to try",
    amount: 3_000,
    every: "month",
    devices: 1,
    trialDays: 14,
    level: "premium",
  },
] as const;
type Offer = (typeof offers)[number];
const levels = ["premium", "pro"];
const worthOf = ({ devices: seats, level }: Pick<Offer, "devices" | "level">): Worth => ({
  seats,
  level: levels.indexOf(level),
});

/** Sells what worlds buy, whose prices are then at Stripe. */
export async function sellRecurring(stage: Stage): Promise<void> {
  await addLevels(stage, { id: "pro" });
  for (const offer of offers) {
    await addOffer(stage.ctx, { ...offer, days: null }, by);
    await stage.person().post("/api/stripe/create-checkout-session", { currency: "usd", offer: offer.id });
  }
}

type Bought = Decided & { session: string; offer: Offer; card: string };
type Open = { session: string; who: Account | null; offer: Offer; email: string; card: string };
type Account = { name: string; id: string; person: Person; card: string };
/** A lifetime of an account: one that was handed out, or bought in a session. */
type Life = {
  account: Account;
  key: string | null;
  level: number;
  session: string | null;
  since: number;
  /** When the shop had heard of it. */
  knownAt: number | null;
  until: number | null;
};

let worlds = 0;
let cards = 1_000;
/** Each account has a card of its own; of these numbers the bank says something else. */
const special = new Set(["0341", "0002", "9995", "3184", "4242", "4444"]);
function newCard(): string {
  cards = cards >= 9_900 ? 1_000 : cards + 1;
  const card = String(cards);
  return special.has(card) ? newCard() : card;
}

/** What a query finds, by column. */
export type Row = Record<string, string | number | null>;

export class World {
  readonly name = `w${(worlds += 1)}`;
  readonly open: Open[] = [];
  readonly bought: Bought[] = [];
  readonly lives: Life[] = [];
  readonly kept = new Set<string>();
  private readonly lastOffers = new Map<string, Offer>();
  readonly notByShop = new Set<string>();
  readonly accounts: Account[] = [];
  readonly stripe: Stripe;
  /** The subscriptions whose customer gave another default card since all rested, and the own cards as of then. */
  readonly newDefaults = new Set<string>();
  readonly ownCards = new Map<string, string | null>();
  undelivered: StripeEvent[] = [];
  delivered: StripeEvent[] = [];
  /** Events were lost, so that the shop has to look for itself. */
  misses = false;
  readonly begunAt: number;
  private seen: number;
  private guests = 0;

  constructor(
    readonly stage: Stage,
    /** No event arrives at all. */
    readonly isDeaf: boolean,
  ) {
    this.stripe = stripeOf(stage);
    this.seen = this.ledger.deliveries.size();
    this.begunAt = this.now;
  }

  get ledger() {
    return this.stage.stripe.ledger;
  }
  get now(): number {
    return Math.floor(this.stage.ctx.now().getTime() / 1000);
  }

  async begin(): Promise<void> {
    for (const name of ["a", "b"]) {
      const person = this.stage.person();
      const username = `${this.name}${name}`;
      const answer = await person.register(await this.stage.handOut(1), username, password);
      if (answer.status !== 200)
        throw new Error(`${username} can't register: ${JSON.stringify(answer.body)}`);
      const rows = await this.rows("SELECT id FROM accounts WHERE username = ?", [username]);
      this.accounts.push({ name: username, id: String(rows[0]?.["id"]), person, card: newCard() });
    }
  }

  async rows(sql: string, args: string[]): Promise<Row[]> {
    return (await this.stage.ctx.store.client.execute({ sql, args })).rows as unknown as Row[];
  }

  /** What Stripe refuses, such as resuming what has ended, simply doesn't happen. */
  async tried<T>(act: () => Promise<T>): Promise<T | null> {
    try {
      return await act();
    } catch (error) {
      if (error instanceof Stripe.errors.StripeError || error instanceof Refusal) return null;
      if (error instanceof Error && /^[\w/-]+: \{"error"/.test(error.message)) return null;
      throw error;
    }
  }
  // oxlint-disable-next-line typescript/no-explicit-any -- what the simulator answers
  atStripe = async (action: string, body: object): Promise<any> => {
    const done = await this.tried(() => this.stage.atStripe(action, body));
    this.note(`${action} ${Object.values(body).join(" ")}${done ? "" : ": refused"}`);
    return done;
  };

  /** What happened at Stripe and in the shop, for who reads a failure. */
  readonly did: string[] = [];
  note = (what: string) => void this.did.push(what.replace(/_(?:test|1)_?\w+(?=\w{4}\b)/g, "…"));

  pick = <T>(list: readonly T[], nth: number): T | undefined => list[nth % Math.max(list.length, 1)];

  books(): Subscription[] {
    return booksOf(
      this.ledger,
      this.bought.map(({ session }) => session),
    );
  }

  facts(): Facts {
    const books = new Map(this.books().map((one) => [one.session, one]));
    const refunds = [...books.values()].flatMap(({ invoices }) => invoices.flatMap((one) => one.refunds));
    return {
      now: this.now,
      subscriptions: this.bought.flatMap(({ session, offer, card, ...decided }) => {
        const one = books.get(session);
        return one
          ? [{ ...one, offer: offer.id, card, decided: { ...decided, billed: this.billedFor(one, offer) } }]
          : [];
      }),
      lifetimes: this.lives.map(({ account, ...life }): Lifetime => ({
        ...life,
        account: account.name,
        seats: 1,
      })),
      kept: this.kept,
      madeByShop: new Set(refunds.map(({ id }) => id).filter((id) => !this.notByShop.has(id))),
    };
  }

  /** Of the offer by which it is billed now, or was last. */
  private billedFor({ id }: Subscription, sold: Offer): Worth {
    const items = this.ledger.subscriptions.get(id)?.items.data ?? [];
    const now = items.map(({ price }) => price.metadata["offer"]).find((one) => one !== undefined);
    const offer = offers.find((one) => one.id === now) ?? this.lastOffers.get(id) ?? sold;
    this.lastOffers.set(id, offer);
    return worthOf(offer);
  }

  advance(milliseconds: number): void {
    this.stage.advance(milliseconds);
  }

  /** Takes up what Stripe tells. */
  async collect(): Promise<void> {
    await this.stage.stripe.flush();
    const { deliveries, events } = this.ledger;
    if (deliveries.size() === this.seen) return;
    const fresh = deliveries.all().slice(this.seen);
    this.seen = deliveries.size();
    const told = fresh.flatMap(({ id }) => (events.get(id) as StripeEvent | undefined) ?? []);
    this.undelivered.push(...told);
  }

  async send(event: StripeEvent): Promise<void> {
    const status = await deliver(event, this.stage.webhookUrl(), this.stage.stripe.webhookSecret);
    if (status === 200) this.delivered.push(event);
    else this.undelivered.push(event);
  }

  /** All that the shop has still to do; also what it tries again later. */
  async drain(): Promise<void> {
    for (let hours = 0; hours < 30; hours += 1) {
      await this.stage.shop.worker.drain();
      const rows = await this.rows(
        "SELECT topic, last_error FROM outbox WHERE topic LIKE 'stripe.%' OR topic LIKE 'subscription.%' OR topic LIKE 'payment.%' OR topic LIKE 'refund.%'",
        [],
      );
      if (rows.length === 0) return;
      this.advance(hour);
    }
    throw new Error("the shop never comes to an end with Stripe");
  }

  /** The daily look, of what is due; without its rests. */
  async dueLooks(): Promise<void> {
    const rows = await this.rows("SELECT stripe_id FROM subscriptions WHERE look_again_at <= ?", [
      String(this.stage.ctx.now().getTime()),
    ]);
    for (const row of rows)
      await settleSubject(this.stage.ctx, this.stage.shop.checkout, {
        subscription: String(row["stripe_id"]),
      });
  }

  /** What the shop does by itself, without its rests. */
  async look(lists: "now" | "when due"): Promise<void> {
    await reconcilePayments(this.stage.ctx, this.stage.shop.checkout, { lists });
    await this.dueLooks();
    await this.drain();
  }

  /** Until the shop knows all, and Stripe has heard all that follows from it. */
  async rest(order: number): Promise<void> {
    const random = seededRandom(order);
    this.note("all rests");
    await this.stage.atStripe("faults", { api: { next: [] } });
    for (let round = 0, looked = 0; ; round += 1) {
      const looks = this.isDeaf || this.misses || (await this.wasRefused());
      if (round > 25) throw new Error("Stripe and the shop never come to rest");
      await this.collect();
      if (this.isDeaf) this.undelivered = [];
      const told = random.shuffled(this.undelivered.splice(0));
      for (const event of told) {
        await this.send(event);
        if (random.whole(0, 5) === 0) await this.send(event);
      }
      await this.drain();
      await this.collect();
      if (this.undelivered.length > 0 && !this.isDeaf) continue;
      if (looked >= (looks ? 2 : 1)) break;
      looked += 1;
      if (looks) {
        this.advance(day + minute);
        await this.collect();
        await this.look("now");
      } else await this.dueLooks();
    }
    this.undelivered = [];
    this.misses = false;
    for (const life of this.lives) life.knownAt ??= this.now;
  }

  /** What Stripe refused to give back is asked for again a day later. */
  async wasRefused(): Promise<boolean> {
    const since = String(this.stage.ctx.now().getTime() - day);
    return (
      (await this.rows("SELECT id FROM refunds WHERE state = 'refused' AND created_at > ?", [since])).length >
      0
    );
  }

  async live({ does, n }: Step): Promise<void> {
    this.advance(7 * second);
    await steps[does](this, n);
    await this.collect();
    // what it is billed by is noted while it can be seen
    this.facts();
  }

  // --- what steps are about

  /** One of those subscriptions that Stripe has, with what it is to the world. */
  one(
    nth: number,
    which: (one: Subscription) => boolean = () => true,
  ): (Subscription & { bought: Bought }) | undefined {
    const all = this.books().filter(which);
    const one = this.pick(all, nth);
    const bought = this.bought.find(({ session }) => session === one?.session);
    return one && bought && { ...one, bought };
  }
  running = (nth: number) => this.one(nth, ({ endedAt }) => endedAt === null);
  invoice(
    nth: number,
    which: (one: Invoice) => boolean,
  ): { one: Subscription; invoice: Invoice } | undefined {
    return this.pick(
      this.books().flatMap((one) => one.invoices.filter(which).map((invoice) => ({ one, invoice }))),
      nth,
    );
  }
  /** An invoice as the simulator's actions name it. */
  named = ({ one, invoice }: { one: Subscription; invoice: Invoice }) =>
    invoice.isFirst ? one.session : invoice.id;

  async signIn({ name, person }: Account): Promise<void> {
    if ((await person.get("/api/user/me")).status === 200) return;
    const answer = await person.post("/api/auth/login", { username: name, password });
    if (answer.status !== 200) throw new Error(`${name} can't sign in: ${JSON.stringify(answer.body)}`);
  }

  async openCheckout(nth: number, offer: Offer, card: number): Promise<Open | null> {
    const who = nth % 5 === 4 ? null : (this.accounts[nth % 5 < 3 ? 0 : 1] ?? null);
    if (who) await this.signIn(who);
    const person = who?.person ?? this.stage.person();
    const { body } = await person.post("/api/stripe/create-checkout-session", {
      currency: "usd",
      offer: offer.id,
    });
    if (body.status !== 200) return null;
    const others = card % 7 === 0 ? this.accounts.map((one) => one.card) : [];
    const email = who ? who.name : `${this.name}g${(this.guests += 1)}`;
    const known = this.open.find(({ session }) => session === body.data.id);
    if (known) return known;
    const opened = {
      session: body.data.id,
      who,
      offer,
      email: `${email}@example.com`,
      card: this.pick(others, card) ?? who?.card ?? newCard(),
    };
    this.open.push(opened);
    return opened;
  }

  async pay({ session, who, offer, email, card }: Open, how: number): Promise<void> {
    const outcomes = [
      "paid",
      "paid",
      "paid",
      "paid",
      "processing",
      "processing",
      "voucher",
      "deposits",
      "declined",
    ];
    const outcome = offer.trialDays !== null ? "paid" : this.pick(outcomes, how);
    if (this.ledger.checkouts.get(session)?.session.status !== "open") return;
    const paid = await this.atStripe("pay", { session, email, card, outcome });
    if (!paid || outcome === "declined") return;
    this.note(`(${offer.id} of ${who?.name ?? "a guest"})`);
    this.bought.push({
      session,
      offer,
      card,
      buyer: who?.name ?? null,
      holder: who?.name ?? null,
      redeemedAt: null,
      sold: worthOf(offer),
      billed: worthOf(offer),
      switchedTo: [],
      revokedAt: null,
      suspended: false,
      days: null,
    });
  }

  async licence({ session }: Pick<Bought, "session">) {
    return licenceOfKey(this.stage.ctx, soldKey(this.stage.ctx, session));
  }

  /** No bank takes longer, and no voucher lasts longer. */
  async settleOld(): Promise<void> {
    for (const one of this.books())
      for (const { id, isFirst, onItsWay, processing, created } of one.invoices) {
        if (!onItsWay || created + 12 * 86_400 > this.now) continue;
        const outcome = processing ? "succeed" : "fail";
        if (isFirst) await this.atStripe("settle", { session: one.session, outcome });
        else await this.atStripe("invoice/settle", { invoice: id, outcome });
      }
  }

  async refund(nth: number, body: object): Promise<void> {
    const found = this.invoice(nth, ({ received }) => received > 0);
    if (!found) return;
    const made = await this.atStripe("refund", { session: this.named(found), ...body });
    if (made) this.notByShop.add(made.id);
  }

  async dispute(nth: number, status: string): Promise<void> {
    const found = this.invoice(
      nth,
      ({ received, disputes }) => received > 0 && (status === "needs_response" || disputes.length > 0),
    );
    if (!found) return;
    await this.atStripe("dispute", { session: this.named(found), status });
  }

  async update(nth: number, change: Stripe.SubscriptionUpdateParams): Promise<void> {
    const one = this.running(nth);
    if (one) this.note(`update ${one.id} ${JSON.stringify(change)}`);
    if (one) await this.tried(() => this.stripe.subscriptions.update(one.id, change));
  }

  async atSubscription(nth: number, action: string, body: object = {}): Promise<void> {
    const one = this.running(nth);
    if (one) await this.atStripe(action, { subscription: one.id, ...body });
  }

  async staff(nth: number, change: "suspend" | "reinstate" | "revoke"): Promise<void> {
    const one = this.one(nth);
    const licence = one && (await this.licence(one));
    if (!licence) return;
    const done = await this.tried(async () => {
      await changeLicence(this.stage.ctx, licence, change, by);
      return true;
    });
    if (!done) return;
    this.note(`${change} the licence of ${one.id}`);
    if (change === "revoke") one.bought.revokedAt ??= this.now;
    else one.bought.suspended = change === "suspend";
  }
}

const owed = ({ status }: Invoice) => status === "open" || status === "uncollectible";
const hours = [1, 3, 8, 24, 24, 48, 72, 96, 168, 240, 360, 720, 744];

/** All that may happen. */
export const steps = {
  async buy(world: World, [a, b, c]: Step["n"]) {
    const offer = offers[[0, 0, 0, 0, 1, 1, 2, 3][b % 8] ?? 0];
    const opened = offer && (await world.openCheckout(a, offer, c));
    if (opened) await world.pay(opened, c);
  },
  async openLate(world: World, [a, b, c]: Step["n"]) {
    const offer = offers[[0, 0, 1, 2, 3][b % 5] ?? 0];
    world.advance(11 * minute);
    if (offer) await world.openCheckout(a, offer, c);
  },
  async payOpen(world: World, [a, b]: Step["n"]) {
    const opened = world.pick(world.open, a);
    if (opened) await world.pay(opened, b);
  },
  async money(world: World, [a, b]: Step["n"]) {
    const found = world.invoice(a, ({ onItsWay }) => onItsWay);
    const outcome = b % 3 === 0 ? "fail" : "succeed";
    if (found?.invoice.isFirst) await world.atStripe("settle", { session: found.one.session, outcome });
    else if (found) await world.atStripe("invoice/settle", { invoice: found.invoice.id, outcome });
  },
  async pass(world: World, [a]: Step["n"]) {
    world.note(`${hours[a % hours.length]} hours pass`);
    for (let left = hours[a % hours.length] ?? 1; left > 0; left -= 120) {
      world.advance(Math.min(left, 120) * hour);
      await world.collect();
      await world.settleOld();
      // who hears nothing looks each day, and Stripe lists events for thirty
      if (world.isDeaf || world.misses) await world.look("when due");
    }
  },
  mood: (world: World, [a, b]: Step["n"]) =>
    world.atSubscription(a, "card/mood", {
      mood: world.pick(["declines", "declines", "asks", "no_funds", "works", "works"], b),
    }),
  async newCard(world: World, [a, b]: Step["n"]) {
    const one = world.running(a);
    const customer = one && world.ledger.subscriptions.get(one.id)?.customer;
    if (!customer) return;
    await world.atStripe("card/new", { customer, card: b % 4 === 0 ? "0341" : newCard() });
    world.newDefaults.add(one.id);
  },
  async ownCard(world: World, [a]: Step["n"]) {
    const one = world.running(a);
    const customer = one && world.ledger.subscriptions.get(one.id)?.customer;
    const card = world.pick(world.ledger.methods.group(customer ?? ""), a);
    if (!one || !card) return;
    world.note(`update ${one.id} ${card.id}`);
    await world.tried(() => world.stripe.subscriptions.update(one.id, { default_payment_method: card.id }));
    // whether the shop looked in between is its own affair
    if (world.newDefaults.has(one.id)) world.ownCards.delete(one.id);
    else if (world.ownCards.has(one.id)) world.ownCards.set(one.id, card.id);
  },
  async payPage(world: World, [a]: Step["n"]) {
    const found = world.invoice(a, owed);
    if (found) await world.atStripe("invoice/pay", { invoice: found.invoice.id, card: "4242" });
  },
  async outside(world: World, [a]: Step["n"]) {
    const found = world.invoice(a, owed);
    if (found) await world.atStripe("invoice/outside", { invoice: found.invoice.id });
  },
  async part(world: World, [a, b]: Step["n"]) {
    const found = world.invoice(a, owed);
    const amount = 100 + (b % 2_000);
    if (found)
      await world.atStripe("invoice/part", {
        invoice: found.invoice.id,
        amount,
        by: b % 3 === 0 ? "record" : "card",
      });
  },
  async creditNote(world: World, [a, b]: Step["n"]) {
    const found = world.invoice(a, owed);
    const amount = b % 2 === 0 ? 3_000 : 100 + (b % 2_000);
    if (found) await world.atStripe("invoice/credit-note", { invoice: found.invoice.id, amount });
  },
  async uncollectible(world: World, [a]: Step["n"]) {
    const found = world.invoice(a, owed);
    if (found) await world.atStripe("invoice/uncollectible", { invoice: found.invoice.id });
  },
  async void(world: World, [a]: Step["n"]) {
    const found = world.invoice(a, (invoice) => owed(invoice) && !invoice.processing);
    if (!found) return;
    world.note(`void ${found.invoice.id}`);
    await world.tried(() => world.stripe.invoices.voidInvoice(found.invoice.id));
  },
  endNow: (world: World, [a]: Step["n"]) => world.atSubscription(a, "subscription/cancel", { at: "now" }),
  endAtPeriod: (world: World, [a]: Step["n"]) => world.update(a, { cancel_at_period_end: true }),
  endLater: (world: World, [a, b]: Step["n"]) =>
    world.atSubscription(a, "subscription/cancel-at", { months: 1 + (b % 3) }),
  async endBySchedule(world: World, [a, b]: Step["n"]) {
    const one = world.running(a);
    const start = one && world.ledger.subscriptions.get(one.id)?.items.data[0].current_period_start;
    if (start && !one.cancelAtPeriodEnd && start + 28 * 86_400 > world.now)
      await world.atSubscription(a, "subscription/schedule", { months: 1 + (b % 3) });
  },
  resume: (world: World, [a]: Step["n"]) => world.update(a, { cancel_at_period_end: false }),
  async switch(world: World, [a, b, c]: Step["n"]) {
    const one = world.one(
      a,
      ({ endedAt, invoices }) => endedAt === null && invoices.some(({ status }) => status === "paid"),
    );
    const [item, more] = (one && world.ledger.subscriptions.get(one.id)?.items.data) ?? [];
    const price = world.pick(
      world.ledger.prices
        .all()
        .filter(({ metadata, id }) => metadata["offer"] !== undefined && id !== item?.price.id),
      b,
    );
    // the simulator switches the first item, and leaves a set end where it was
    if (!one || !item || !price || more || one.cancelAtPeriodEnd) return;
    world.note(`switch ${one.id} to ${price.metadata["offer"]}`);
    const to = offers.find(({ id }) => id === price.metadata["offer"]);
    if (to) one.bought.switchedTo.push(worthOf(to));
    const how =
      world.pick(["always_invoice", "always_invoice", "create_prorations", "none"] as const, c) ?? "none";
    await world.tried(() =>
      world.stripe.subscriptions.update(one.id, {
        items: [{ id: item.id, price: price.id }],
        proration_behavior: how,
      }),
    );
  },
  pause: (world: World, [a]: Step["n"]) => world.atSubscription(a, "subscription/pause"),
  goOn: (world: World, [a]: Step["n"]) => world.atSubscription(a, "subscription/resume"),
  stopCollecting: (world: World, [a, b]: Step["n"]) =>
    world.update(a, {
      pause_collection: {
        behavior: world.pick(["void", "keep_as_draft", "mark_uncollectible"] as const, b) ?? "void",
      },
    }),
  collect: (world: World, [a]: Step["n"]) => world.update(a, { pause_collection: "" }),
  async trial(world: World, [a, b]: Step["n"]) {
    if (!world.running(a)?.cancelAtPeriodEnd)
      await world.atSubscription(a, "subscription/trial", { days: 1 + (b % 40) });
  },
  quantity: (world: World, [a, b]: Step["n"]) =>
    world.atSubscription(a, "subscription/item", { quantity: 1 + (b % 3) }),
  price: (world: World, [a, b]: Step["n"]) =>
    world.atSubscription(a, "subscription/item", { amount: 500 + (b % 9) * 500 }),
  addItem: (world: World, [a, b]: Step["n"]) =>
    world.atSubscription(a, "subscription/add-item", { amount: 700, first: b % 2 === 0 }),
  async deleteCustomer(world: World, [a]: Step["n"]) {
    const one = world.running(a);
    const customer = one && world.ledger.subscriptions.get(one.id)?.customer;
    if (customer) await world.atStripe("customer/delete", { customer });
  },
  retries: (world: World, [a]: Step["n"]) =>
    world.atStripe("retries", { outcome: world.pick(["cancel", "unpaid", "past_due"], a) }),
  async lifetime(world: World, [a, b]: Step["n"]) {
    const account = world.pick(world.accounts, a);
    if (!account || world.lives.some((life) => life.account === account && life.until === null)) return;
    await world.signIn(account);
    if (b % 2 === 0) {
      const level = (b >> 1) % levels.length;
      const key = await handOut(world.stage.ctx, { days: null, level: levels[level] }, by);
      const answer = await account.person.post("/api/licenses/redeem", { key, timezone: "UTC" });
      world.note(`${account.name} redeems a lifetime of ${levels[level]}: ${answer.status}`);
      // it has not heard yet that it lost another
      if (answer.status !== 200) return;
      world.lives.push({
        account,
        key,
        level,
        session: null,
        since: world.now,
        knownAt: world.now,
        until: null,
      });
      return;
    }
    const { body } = await account.person.post("/api/stripe/create-checkout-session", { currency: "usd" });
    if (body.status !== 200) return;
    const session: string = body.data.id;
    await world.atStripe("pay", { session, email: `${account.name}@example.com`, card: account.card });
    world.lives.push({ account, key: null, level: 0, session, since: world.now, knownAt: null, until: null });
  },
  async loseLifetime(world: World, [a, b]: Step["n"]) {
    const life = world.pick(
      world.lives.filter(({ until }) => until === null),
      a,
    );
    if (!life) return;
    if (life.session === null) {
      const licence = await licenceOfKey(world.stage.ctx, life.key ?? "");
      if (licence) await changeLicence(world.stage.ctx, licence, "revoke", by);
    } else if (b % 2 === 0) await world.atStripe("refund", { session: life.session });
    else
      for (const status of ["needs_response", "lost"])
        await world.atStripe("dispute", { session: life.session, status });
    world.note("the lifetime is lost");
    life.until = world.now;
  },
  async redeemGuests(world: World, [a, b]: Step["n"]) {
    const account = world.pick(world.accounts, b);
    const guest = world.pick(
      world.bought.filter(({ holder }) => holder === null),
      a,
    );
    if (!guest || !account || !(await world.licence(guest))) return;
    await world.signIn(account);
    const key = soldKey(world.stage.ctx, guest.session);
    const answer = await account.person.post("/api/licenses/redeem", { key, timezone: "UTC" });
    if (answer.status === 200) Object.assign(guest, { holder: account.name, redeemedAt: world.now });
    world.note(`${account.name} redeems the guest's key: ${answer.status}`);
  },
  async drop(world: World, [a]: Step["n"]) {
    const account = world.pick(world.accounts, a);
    if (!account) return;
    await world.signIn(account);
    const { body } = await account.person.get("/api/subscriptions");
    const waiting = body.data?.find(({ status }: { status: string }) => status === "pending");
    if (!waiting) return;
    const { status } = await account.person.post("/api/subscriptions/drop", { id: waiting.id });
    world.note(`${account.name} drops what waits: ${status}`);
  },
  refund: (world: World, [a]: Step["n"]) => world.refund(a, {}),
  refundPart: (world: World, [a, b]: Step["n"]) => world.refund(a, { amount: 100 + (b % 900) }),
  refundLate: (world: World, [a]: Step["n"]) => world.refund(a, { status: "pending" }),
  async refundMoves(world: World, [a, b]: Step["n"]) {
    const late = world.ledger.refunds
      .all()
      .filter(({ id, status }) => status === "pending" && world.notByShop.has(id));
    const one = world.pick(late, a);
    if (one)
      await world.atStripe("refund/move", { refund: one.id, status: b % 2 === 0 ? "failed" : "succeeded" });
  },
  async refundKeeping(world: World, [a]: Step["n"]) {
    const found = world.invoice(
      a,
      ({ received, refunds, disputes }) => received > 0 && refunds.length === 0 && disputes.length === 0,
    );
    if (!found) return;
    const { ctx, shop } = world.stage;
    const [payment] = await ctx.store.db
      .select()
      .from(payments)
      .where(eq(payments.sessionId, world.named(found)));
    if (!payment?.soldAt) return;
    const before = new Set(world.ledger.refunds.all().map(({ id }) => id));
    world.note(`refund ${world.named(found)} and keep`);
    await world.tried(() => refundPayment(ctx, shop.checkout, payment, { amount: null, keeps: true, by }));
    for (const { id } of world.ledger.refunds.all())
      if (!before.has(id)) {
        world.kept.add(id);
        world.notByShop.add(id);
      }
  },
  dispute: (world: World, [a]: Step["n"]) => world.dispute(a, "needs_response"),
  win: (world: World, [a]: Step["n"]) => world.dispute(a, "won"),
  lose: (world: World, [a]: Step["n"]) => world.dispute(a, "lost"),
  appeal: (world: World, [a]: Step["n"]) => world.dispute(a, "appeal_needs_response"),
  revoke: (world: World, [a]: Step["n"]) => world.staff(a, "revoke"),
  suspend: (world: World, [a]: Step["n"]) => world.staff(a, "suspend"),
  reinstate: (world: World, [a]: Step["n"]) => world.staff(a, "reinstate"),
  async days(world: World, [a, b]: Step["n"]) {
    // they begin at the end of what is known to be paid
    await world.rest(a);
    const one = world.one(a);
    const licence = one && one.bought.days === null && (await world.licence(one));
    if (!licence) return;
    const expected = expectedOf(world.facts()).get(one.id);
    const days = 5 + (b % 40);
    const done = await world.tried(() => extendLicence(world.stage.ctx, licence, days, by).then(() => true));
    world.note(`${days} days for ${one.id}`);
    if (done) one.bought.days = { at: world.now, days, paidUntil: expected?.paid ?? world.now };
  },
  async deliver(world: World, [a]: Step["n"]) {
    const [event] =
      world.isDeaf || world.undelivered.length === 0
        ? []
        : world.undelivered.splice(a % world.undelivered.length, 1);
    if (event) world.note(`hears ${event.type}`);
    if (event) await world.send(event);
    await world.drain();
  },
  async redeliver(world: World, [a]: Step["n"]) {
    const event = world.pick(world.delivered, a);
    if (event) await deliver(event, world.stage.webhookUrl(), world.stage.stripe.webhookSecret);
  },
  async loseEvent(world: World, [a]: Step["n"]) {
    if (world.undelivered.length === 0) return;
    const [event] = world.undelivered.splice(a % world.undelivered.length, 1);
    world.note(`${event?.type} is lost`);
    world.misses = true;
  },
  version: (world: World, [a]: Step["n"]) =>
    world.atStripe("events/version", {
      version: world.pick(["2026-10-28.endive", "2024-06-20", "2020-08-27"], a),
    }),
  refuse: (world: World, [a]: Step["n"]) =>
    world.atStripe("refuse", {
      path: "/v1/invoices/create_preview",
      as: world.pick(["tax_location", "schedule", "permission", null], a),
    }),
  /** Stripe's API fails while the shop settles. */
  async stumble(world: World, [a, b]: Step["n"]) {
    const fault = a % 2 === 0 ? { fail: 500 } : { fail: "drop", when: "after" };
    world.note("Stripe fails thrice");
    await world.stage.atStripe("faults", { api: { next: [fault, fault, fault] } });
    const [event] =
      world.isDeaf || world.undelivered.length === 0
        ? []
        : world.undelivered.splice(b % world.undelivered.length, 1);
    if (event) await world.send(event);
    await world.stage.shop.worker.drain();
    await world.stage.atStripe("faults", { api: { next: [] } });
  },
  restart: (world: World) => world.stage.restart(),
  rest: (world: World, [a]: Step["n"]) => world.rest(a),
} satisfies Record<string, (world: World, n: [number, number, number]) => Promise<unknown>>;
