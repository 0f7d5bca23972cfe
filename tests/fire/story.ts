import { sweep } from "@/domain/payments/sweep";
import type { Answer, Person } from "../person";
import type { Stage } from "../stage";
import { deliver, eventsOf, type StripeEvent } from "./events";

/** What may happen next. `order` and `nth` count among those that there are, round and round. */
export type Step =
  | { does: "buy" }
  | {
      does: "pay" | "payLate" | "arrives" | "bounces" | "refund" | "refundPart" | "refundFails";
      order: number;
    }
  | { does: "dispute" | "inquiry" | "win" | "lose" | "look" | "register"; order: number }
  | { does: "registerTimed" }
  | { does: "redeem"; order: number; account: number }
  | { does: "deliver" | "redeliver" | "drop"; nth: number }
  | { does: "restart" | "sweep" }
  | { does: "advance"; hours: number };

export type Order = {
  session: string;
  buyer: Person;
  key: string | null;
  owner: number | null;
  lateRefund: string | null;
};
export type Account = { person: Person; timedUntil: number | null; orders: number[] };

/** One story as it is lived: what the people, the bank and the post did so far. */
export function beginStory(stage: Stage) {
  const orders: Order[] = [];
  const accounts: Account[] = [];
  const untold: StripeEvent[] = [];
  const told: StripeEvent[] = [];
  const known = new Set<string>();
  const { url, secretKey, webhookSecret } = stage.stripe;

  const at = <T>(list: T[], nth: number): T | undefined => list[nth % Math.max(list.length, 1)];
  /** What the stand-in refuses, such as paying twice, does not happen. */
  const atStripe = async (action: string, order: number, body: object = {}) => {
    const session = at(orders, order)?.session;
    const done = session && (await stage.atStripe(action, { session, ...body }).catch(() => null));
    for (const event of await eventsOf(url, secretKey, 100)) {
      if (!known.has(event.id)) untold.push(event);
      known.add(event.id);
    }
    return done as { id?: string } | null;
  };
  const look = async (order: Order): Promise<Answer> => {
    const answer = await order.buyer.get(`/api/stripe/verify-payment?session_id=${order.session}`);
    const key: unknown = answer.body.data?.license_key;
    if (typeof key === "string" && !key.includes("•")) order.key = key;
    return answer;
  };
  const send = (event: StripeEvent) => deliver(event, stage.webhookUrl(), webhookSecret);
  const now = () => stage.ctx.now().getTime();

  const acts = {
    async buy() {
      const buyer = stage.person();
      const opened = await buyer.post("/api/stripe/create-checkout-session", { currency: "usd" });
      orders.push({ session: opened.body.data.id, buyer, key: null, owner: null, lateRefund: null });
    },
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
    async register(order: number) {
      const which = at(orders, order);
      if (!which?.key) return;
      const person = stage.person();
      const answer = await person.register(which.key, `person${accounts.length}`);
      if (answer.status !== 200) return;
      if (which.owner !== null) throw new Error("a key was redeemed twice");
      which.owner = accounts.length;
      accounts.push({ person, timedUntil: null, orders: [orders.indexOf(which)] });
    },
    async registerTimed() {
      const person = stage.person();
      const answer = await person.register(await stage.handOut(1), `person${accounts.length}`);
      if (answer.status !== 200) throw new Error("a good key was refused");
      accounts.push({ person, timedUntil: now() + 86_400_000, orders: [] });
    },
    async redeem(order: number, account: number) {
      const [which, who] = [at(orders, order), at(accounts, account)];
      if (!which?.key || !who) return;
      const answer = await who.person.post("/api/licenses/redeem", { key: which.key, timezone: "UTC" });
      if (answer.status !== 200) return;
      if (which.owner !== null) throw new Error("a key was redeemed twice");
      which.owner = accounts.indexOf(who);
      who.orders.push(orders.indexOf(which));
    },
    async deliver(nth: number) {
      const [event] = untold.length > 0 ? untold.splice(nth % untold.length, 1) : [];
      if (!event) return;
      told.push(event);
      const status = await send(event);
      if (status !== 200) throw new Error(`a webhook was answered with ${status}`);
    },
    async redeliver(nth: number) {
      const event = at(told, nth);
      if (event) await send(event);
    },
    drop(nth: number) {
      if (untold.length > 0) untold.splice(nth % untold.length, 1);
    },
    restart: () => stage.restart(),
    sweep: () => sweep(stage.ctx, stage.shop.checkout),
    advance: (hours: number) => stage.advance(hours * 3_600_000),
  };

  return {
    orders,
    accounts,
    now,
    look,
    async live(step: Step): Promise<void> {
      if (step.does === "advance") return acts.advance(step.hours);
      if (step.does === "redeem") return acts.redeem(step.order, step.account);
      if ("order" in step) return void (await acts[step.does](step.order));
      if ("nth" in step) return acts[step.does](step.nth);
      await acts[step.does]();
    },
    /** Everything that was under way comes to rest. */
    async settleDown() {
      await acts.sweep();
      await stage.shop.worker.drain();
    },
  };
}

/** A step as a sentence. */
export function inWords(step: Step): string {
  if (step.does === "advance") return `${step.hours} hours go by`;
  if (step.does === "redeem") return `account ${step.account} redeems the key of order ${step.order}`;
  if ("order" in step) return `${step.does}: order ${step.order}`;
  return "nth" in step ? `${step.does} event ${step.nth}` : step.does;
}
