import { createHmac } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import pLimit from "p-limit";
import { leadsHere } from "../base/host";
import { eventForApi } from "./events";
import { takeDrop } from "./faults";
import { type Attempt, type Delivery, eventOf } from "./ledger";
import type { World } from "./world";

/** Where events go. */
type Endpoint = { url: string; secret: string };

/** Pauses between attempts: `firstMs`, doubled each time, at most `capMs`. */
export type RetryDelays = { firstMs: number; capMs: number };

export type Courier = {
  /** Starts to deliver the events created since the last call; does not wait for them. */
  wake(): void;
  /** Retries at once. False if any event is still undelivered after `withinMs`. */
  flush(withinMs: number): Promise<boolean>;
  endpoint(): Endpoint | null;
  setEndpoint(endpoint: Endpoint | null): void;
  stop(): void;
};

const isForFirst = (id: string) => eventOf({ id }) === id;

const threeDays = 3 * 24 * 60 * 60 * 1000;
const atOnce = 8;

/** Delivers events at least once, in no guaranteed order; retries for three days after anything but a 2xx. */
export function courier(world: World, first: Endpoint | null, delays: RetryDelays): Courier {
  const slots = pLimit(atOnce);
  const underWay = new Set<Promise<void>>();
  let endpoint = first;
  const ended = new AbortController();
  let hurrying = new AbortController();
  let seen = 0;
  /** The events of the first endpoint while it has no address. */
  let held: string[] = [];

  /** A pause, which `hurry` ends. */
  const wait = (ms: number) => pause(ms, undefined, { signal: hurrying.signal }).catch(() => {});

  function hurry() {
    hurrying.abort();
    hurrying = new AbortController();
  }

  function wake() {
    if (ended.signal.aborted) return;
    const { deliveries } = world.ledger;
    const fresh = deliveries.all().slice(seen);
    seen = deliveries.size();
    const due = [...held, ...fresh.filter(({ state }) => state === "waiting").map(({ id }) => id)];
    held = endpoint === null ? due.filter(isForFirst) : [];
    for (const id of due) if (endpoint !== null || !isForFirst(id)) takeUp(id);
  }

  /** Where a delivery goes: to an endpoint made by a call, if it is still there, or to the first. */
  function targetOf(id: string): Endpoint | null {
    if (isForFirst(id)) return endpoint;
    const made = world.endpoints.find((one) => one.id === id.split(" ")[1]);
    return made?.secret === undefined || made.status !== "enabled" ? null : { ...made, secret: made.secret };
  }

  function takeUp(id: string) {
    if (takeDrop(world.faults)) return settle(id, "dropped");
    track(journey(id));
    for (let copy = 1; copy < world.faults.webhooks.repeat; copy += 1) track(sendOnce(id));
  }

  async function journey(id: string) {
    for (let tries = 0; !ended.signal.aborted; tries += 1) {
      await wait(tries === 0 ? leadTime() : pauseAfter(tries));
      const attempt = await slots(() => tryOnce(id));
      if (attempt === null) return;
      if (attempt.status >= 200 && attempt.status < 300) return settle(id, "delivered");
      if (world.now() - rowOf(id).since > threeDays) return settle(id, "abandoned");
    }
  }

  async function sendOnce(id: string) {
    await wait(leadTime());
    await slots(() => tryOnce(id));
  }

  function leadTime(): number {
    return Math.random() * world.faults.webhooks.shuffleMs;
  }

  function pauseAfter(tries: number): number {
    return Math.min(delays.capMs, delays.firstMs * 2 ** (tries - 1));
  }

  async function tryOnce(id: string): Promise<Attempt | null> {
    const event = world.ledger.events.get(eventOf({ id }));
    const target = targetOf(id);
    if (ended.signal.aborted || target === null || event === undefined) return null;
    const attempt = await send(target, JSON.stringify(eventForApi(world, event), null, 2), world.now());
    if (ended.signal.aborted) return null;
    const row = rowOf(id);
    keep({ ...row, attempts: [...row.attempts, attempt].slice(-20) });
    return attempt;
  }

  function rowOf(id: string): Delivery {
    return world.ledger.deliveries.get(id) ?? { id, state: "waiting", since: world.now(), attempts: [] };
  }

  function settle(id: string, state: Delivery["state"]) {
    keep({ ...rowOf(id), state });
  }

  function keep(row: Delivery) {
    world.ledger.put("deliveries", row);
    world.ledger.save();
  }

  function track(work: Promise<void>) {
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
  }

  async function flush(withinMs: number) {
    const deadline = Date.now() + withinMs;
    wake();
    while (underWay.size > 0 && Date.now() < deadline) {
      hurry();
      await Promise.race([Promise.all(underWay), Bun.sleep(Math.min(500, deadline - Date.now()))]);
      wake();
    }
    const waits = held.length > 0 && !world.endpoints.some(({ secret }) => secret !== undefined);
    return underWay.size === 0 && !waits && seen === world.ledger.deliveries.size();
  }

  return {
    wake,
    flush,
    endpoint: () => endpoint,
    setEndpoint(next) {
      endpoint = next;
      wake();
    },
    stop() {
      ended.abort();
      hurry();
    },
  };
}

const timeoutMs = 10_000;

/** Makes one attempt; never throws. Only a 2xx counts as received, not a redirect. */
async function send(endpoint: Endpoint, payload: string, nowMs: number): Promise<Attempt> {
  if (!leadsHere(endpoint.url)) return { at: nowMs, status: 0, note: "The URL is not on this machine." };
  const at = Math.floor(nowMs / 1000);
  try {
    const response = await fetch(endpoint.url, {
      method: "POST",
      headers: {
        "content-type": "application/json; charset=utf-8",
        "stripe-signature": signature(payload, endpoint.secret, at),
        "user-agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
      },
      body: payload,
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { at: nowMs, status: response.status, note: (await response.text()).slice(0, 200) };
  } catch (error) {
    return { at: nowMs, status: 0, note: error instanceof Error ? error.message : String(error) };
  }
}

/** The `Stripe-Signature` of a payload: https://docs.stripe.com/webhooks#verify-manually. `at` in Unix seconds. */
function signature(payload: string, secret: string, at: number): string {
  const v1 = createHmac("sha256", secret).update(`${at}.${payload}`).digest("hex");
  return `t=${at},v1=${v1}`;
}
