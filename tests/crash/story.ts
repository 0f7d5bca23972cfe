import { operator } from "@/core/base/actor";
import { copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { day, hour } from "@/contract/vocabulary/time";
import { addOffer } from "@/domain/offers/change";
import { reconcilePayments } from "@/domain/payments/reconcile/reconcile-payments";
import type { Answer, Person } from "../support/people/person";
import { connect } from "../support/people/discord";
import type { Stage } from "../support/shop/stage";
import { type Due, ledgerOf } from "./expected-state";
import { type codes, makeCodes, month } from "./goods";
import { deliver, eventsOf, type StripeEvent } from "./events";

/** What may happen next. `order` and `nth` are taken modulo the number of existing ones. */
export type Step =
  | { does: "buy"; wanted: Goods }
  | { does: "enterCode"; order: number; code: keyof typeof codes }
  | {
      does: "pay" | "payLate" | "arrives" | "bounces" | "refund" | "refundPart" | "refundFails";
      order: number;
    }
  | { does: "dispute" | "inquiry" | "win" | "lose" | "look" | "edit" | "register"; order: number }
  | { does: "registerTimed" }
  | { does: "redeem"; order: number; account: number }
  | { does: "deliver" | "redeliver" | "drop"; nth: number }
  | { does: "link" | "unlink" | "leave" | "rejoin"; account: number }
  | { does: "restart" | "sweep" | "backUp" | "restore" }
  | { does: "advance"; hours: number };

/** What is bought; `gift` goes with one key. */
export type Goods = { month: boolean; quantity: number; gift: boolean; code: keyof typeof codes | null };

export type Order = {
  session: string;
  buyer: Person;
  /** Who a gift is for. */
  receiver: string | null;
  /** The keys that anybody has seen, and who redeemed each. */
  keys: string[];
  owners: (number | null)[];
  /** Counts up to the key that is tried next. */
  turn: number;
  /** Whether the receiver of a gift has read the email. */
  opened: boolean;
  lateRefund: string | null;
  /** The metadata of its session before it was edited at Stripe. */
  unedited: object | null;
};
export type Account = {
  person: Person;
  username: string;
  timedUntil: number | null;
  orders: number[];
  /** Connected to the Discord user of the same name. */
  linked: boolean;
};
type Backup = { owners: (number | null)[][]; accounts: Account[] };

/** A story's state: what people, the bank and the mail server have done so far. */
export async function beginStory(stage: Stage) {
  await makeCodes(stage.stripe.url, stage.stripe.secretKey);
  await addOffer(stage.ctx, month, { actor: operator, reason: "a story" });
  const orders: Order[] = [];
  const accounts: Account[] = [];
  const undelivered: StripeEvent[] = [];
  const delivered: StripeEvent[] = [];
  const known = new Set<string>();
  /** Who has a Discord user, and whose user is in the server. */
  const atDiscord = new Set<string>();
  const inServer = new Set<string>();
  let backup: Backup | null = null;
  const { url, secretKey, webhookSecret } = stage.stripe;

  const at = <T>(list: T[], nth: number): T | undefined => list[nth % Math.max(list.length, 1)];
  /** What the simulator refuses, such as paying twice, simply doesn't happen. */
  const atStripe = async (action: string, order: number, body: object = {}) => {
    const session = at(orders, order)?.session;
    const done = session && (await stage.atStripe(action, { session, ...body }).catch(() => null));
    for (const event of await eventsOf(url, secretKey, 100)) {
      if (!known.has(event.id)) undelivered.push(event);
      known.add(event.id);
    }
    return done as { id?: string } | null;
  };
  const look = async (order: Order): Promise<Answer> => {
    const answer = await order.buyer.get(`/api/stripe/verify-payment?session_id=${order.session}`);
    const seen: string[] = answer.body.data?.license_keys ?? [];
    for (const [nth, key] of seen.entries()) if (!key.includes("•")) order.keys[nth] = key;
    if (order.receiver === null) return answer;
    if (order.keys.length > 0 && !order.opened) throw new Error("a buyer saw the key of a gift");
    await openGift(order);
    return answer;
  };
  const openGift = async (order: Order) => {
    await stage.shop.worker.drain();
    const [email] = stage.mail.messages(order.receiver ?? "");
    const key = /WISP(-[0-9A-Z]{4}){4}/.exec(email?.text ?? "")?.[0];
    if (key) order.keys[0] = key;
    order.opened ||= key !== undefined;
  };
  const nextKey = (order: Order) => {
    const nth = order.turn % Math.max(order.keys.length, 1);
    order.turn += 1;
    return { nth, key: order.keys[nth] };
  };
  const send = (event: StripeEvent) => deliver(event, stage.webhookUrl(), webhookSecret);
  const now = () => stage.ctx.now().getTime();

  const isSold = async (order: Order) => {
    const sql = "SELECT 1 FROM payments JOIN licences ON sold_payment_id = payments.id WHERE session_id = ?";
    return (await stage.ctx.store.client.execute({ sql, args: [order.session] })).rows.length > 0;
  };
  const register = async (key: string): Promise<Account | null> => {
    const [person, username] = [stage.person(), `person${accounts.length}`];
    const answer = await person.register(key, username);
    return answer.status === 200 ? { person, username, timedUntil: null, orders: [], linked: false } : null;
  };
  const files = (name: string) => join(stage.dataDir, name);

  const acts = {
    async buy({ month: timed, quantity, gift, code }: Goods) {
      const buyer = stage.person();
      const receiver = gift ? `receiver${orders.length}@example.com` : null;
      const opened = await buyer.post("/api/stripe/create-checkout-session", {
        currency: "usd",
        ...(timed ? { offer: month.id } : {}),
        ...(receiver ? { gift: { email: receiver } } : { quantity }),
        ...(code ? { code } : {}),
      });
      if (opened.body.code === "code_for_one" && !gift && quantity > 1 && code === "FREE") return;
      const order = { session: opened.body.data.id, buyer, receiver, keys: [], owners: [], turn: 0 };
      orders.push({ ...order, opened: false, lateRefund: null, unedited: null });
    },
    enterCode: (order: number, code: string) => atStripe("code", order, { code }),
    pay: (order: number) => atStripe("pay", order, { email: `order${order}@example.com` }),
    payLate: (order: number) =>
      atStripe("pay", order, { email: `order${order}@example.com`, outcome: "processing" }),
    arrives: (order: number) => atStripe("settle", order, { outcome: "succeed" }),
    bounces: (order: number) => atStripe("settle", order, { outcome: "fail" }),
    async refund(order: number) {
      const made = await atStripe("refund", order, { status: "pending" });
      const which = at(orders, order);
      if (which && made?.id) which.lateRefund = made.id;
    },
    refundPart: (order: number) => atStripe("refund", order, { amount: 100 }),
    async refundFails(order: number) {
      const refund = at(orders, order)?.lateRefund;
      if (refund) await stage.atStripe("refund/move", { refund, status: "failed" }).catch(() => {});
      await atStripe("nothing", order);
    },
    dispute: (order: number) => atStripe("dispute", order, { status: "needs_response" }),
    inquiry: (order: number) => atStripe("dispute", order, { status: "warning_needs_response" }),
    win: (order: number) => atStripe("dispute", order, { status: "won" }),
    lose: (order: number) => atStripe("dispute", order, { status: "lost" }),
    async look(order: number) {
      const which = at(orders, order);
      if (which) await look(which);
    },
    /** Only once the shop has sold: before that, an edit prevents the sale. */
    async edit(order: number) {
      const which = at(orders, order);
      if (which) await look(which);
      if (!which || which.unedited || !(await isSold(which))) return;
      const { session } = which;
      const known = await ledgerOf(url);
      which.unedited = known.find((one) => one.session === session)?.metadata ?? {};
      const customer = { customer_details: { email: "another@example.com" } };
      await stage.atStripe("alter", { session, metadata: {}, client_reference_id: null, ...customer });
    },
    async register(order: number) {
      const which = at(orders, order);
      const { nth = 0, key } = which ? nextKey(which) : {};
      if (!which || !key) return;
      const newcomer = await register(key);
      if (!newcomer) return;
      if (which.owners[nth] != null) throw new Error("a key was redeemed twice");
      which.owners[nth] = accounts.length;
      accounts.push({ ...newcomer, orders: [orders.indexOf(which)] });
    },
    async registerTimed() {
      const newcomer = await register(await stage.handOut(1));
      if (!newcomer) throw new Error("a good key was refused");
      accounts.push({ ...newcomer, timedUntil: now() + day });
    },
    async redeem(order: number, account: number) {
      const [which, who] = [at(orders, order), at(accounts, account)];
      const { nth = 0, key } = which ? nextKey(which) : {};
      if (!which || !key || !who) return;
      const answer = await who.person.post("/api/licenses/redeem", { key, timezone: "UTC" });
      if (answer.status !== 200) return;
      if (which.owners[nth] != null) throw new Error("a key was redeemed twice");
      which.owners[nth] = accounts.indexOf(who);
      who.orders.push(orders.indexOf(which));
    },
    async deliver(nth: number) {
      const [event] = undelivered.length > 0 ? undelivered.splice(nth % undelivered.length, 1) : [];
      if (!event) return;
      delivered.push(event);
      const status = await send(event);
      if (status !== 200) throw new Error(`a webhook was answered with ${status}`);
    },
    async redeliver(nth: number) {
      const event = at(delivered, nth);
      if (event) await send(event);
    },
    drop(nth: number) {
      if (undelivered.length > 0) undelivered.splice(nth % undelivered.length, 1);
    },
    /** Customers without an active licence can't go to Discord to connect. */
    async link(who: Account) {
      await acts.rejoin(who);
      await who.person.prove().catch(() => {});
      const asked = await who.person.get("/api/functions/get-discord-oauth-url");
      if (asked.status === 200) who.linked ||= (await connect(stage, who.person, who.username)).status < 300;
    },
    async unlink(who: Account) {
      if ((await who.person.post("/api/discord/deauth")).status === 200) who.linked = false;
    },
    async leave({ username }: Account) {
      if (inServer.delete(username)) await stage.atDiscord("leave", { user: username });
    },
    async rejoin({ username }: Account) {
      if (inServer.has(username)) return;
      inServer.add(username);
      if (atDiscord.has(username)) await stage.atDiscord("join", { user: username });
      else await stage.atDiscord("members", { username, join: true });
      atDiscord.add(username);
    },
    restart: () => stage.restart(),
    async backUp() {
      await rm(files("kept.db"), { force: true });
      await stage.ctx.store.client.execute({ sql: "VACUUM INTO ?", args: [files("kept.db")] });
      backup = { owners: orders.map(({ owners }) => [...owners]), accounts: asTheyAre(accounts) };
    },
    /** What was sold since then is found at Stripe again; those who registered since then are gone. */
    async restore() {
      const past = backup;
      if (!past) return;
      await stage.restart({
        async meanwhile() {
          await Promise.all(["", "-wal", "-shm"].map((end) => rm(files(`shop.db${end}`), { force: true })));
          await copyFile(files("kept.db"), files("shop.db"));
        },
      });
      accounts.splice(0, accounts.length, ...asTheyAre(past.accounts));
      for (const [nth, one] of orders.entries()) {
        one.owners = [...(past.owners[nth] ?? [])];
        // the shop doesn't know that it was sold
        if (!one.unedited || (await isSold(one))) continue;
        await stage.atStripe("alter", { session: one.session, metadata: one.unedited });
        one.unedited = null;
      }
      await reconcilePayments(stage.ctx, stage.shop.checkout);
    },
    sweep: () => reconcilePayments(stage.ctx, stage.shop.checkout),
    advance: (hours: number) => stage.advance(hours * hour),
  };

  return {
    orders,
    accounts,
    inServer,
    /** Through what it bought, as Stripe holds it, or through a timed key. */
    isEntitled({ orders: bought, timedUntil }: Account, due: Map<string, Due>): boolean {
      const byPurchase = bought.some((nth) => due.get(orders[nth]?.session ?? "")?.standing === "good");
      return byPurchase || (timedUntil !== null && timedUntil > now());
    },
    async live(step: Step): Promise<void> {
      if (step.does === "advance") return acts.advance(step.hours);
      if (step.does === "redeem") return acts.redeem(step.order, step.account);
      if (step.does === "buy") return acts.buy(step.wanted);
      if (step.does === "enterCode") return void (await acts.enterCode(step.order, step.code));
      if ("account" in step) {
        const who = at(accounts, step.account);
        return who && acts[step.does](who);
      }
      if ("order" in step) return void (await acts[step.does](step.order));
      if ("nth" in step) return acts[step.does](step.nth);
      await acts[step.does]();
    },
    /** Delivers everything that is pending. */
    async settleDown() {
      await acts.sweep();
      for (const order of [...orders, ...orders]) await look(order);
      await stage.shop.worker.drain();
    },
  };
}

const asTheyAre = (accounts: Account[]): Account[] =>
  accounts.map((one) => ({ ...one, orders: [...one.orders] }));

/** A step as a sentence. */
export function describeStep(step: Step): string {
  if (step.does === "advance") return `${step.hours} hours go by`;
  if (step.does === "buy") return `buy ${JSON.stringify(step.wanted)}`;
  if (step.does === "enterCode") return `the code ${step.code} is entered in order ${step.order}`;
  if (step.does === "redeem") return `account ${step.account} redeems the key of order ${step.order}`;
  if ("account" in step) return `${step.does}: account ${step.account}`;
  if ("order" in step) return `${step.does}: order ${step.order}`;
  return "nth" in step ? `${step.does} event ${step.nth}` : step.does;
}
