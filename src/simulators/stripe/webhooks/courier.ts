import pLimit from "p-limit";
import { emitted } from "../events";
import { takeDrop } from "../faults";
import { seededChance } from "../ids";
import type { Attempt, Delivery } from "../ledger";
import type { World } from "../world";
import { type Endpoint, received, send } from "./endpoint";

/** Pauses between attempts: `firstMs`, doubled each time, at most `capMs`. */
export type Patience = { firstMs: number; capMs: number };

export type Courier = {
  /** Starts to deliver the events made since the last call; does not wait for them. */
  wake(): void;
  /** Sends an event again, delivered or not. False if there is no such event. */
  redeliver(id: string): boolean;
  /** Retries at once. False if something is still undelivered after `withinMs`. */
  flush(withinMs: number): Promise<boolean>;
  endpoint(): Endpoint | null;
  setEndpoint(endpoint: Endpoint | null): void;
  stop(): void;
};

const threeDays = 3 * 24 * 60 * 60 * 1000;
const atOnce = 8;

/** Delivers events at least once, in no guaranteed order: retries for three days on anything but 2xx. */
export function courier(world: World, first: Endpoint | null, patience: Patience, seed: string): Courier {
  const chance = seededChance(`${seed}:webhooks`);
  const slots = pLimit(atOnce);
  const waits = pauses();
  const underWay = new Set<Promise<void>>();
  let endpoint = first;
  const ended = new AbortController();
  let seen = 0;

  function wake() {
    if (endpoint === null || ended.signal.aborted) return;
    const { deliveries } = world.ledger;
    const fresh = deliveries
      .newest()
      .take(deliveries.size() - seen)
      .toArray()
      .toReversed();
    seen = deliveries.size();
    for (const row of fresh) if (row.state === "waiting") takeUp(row.id);
  }

  function takeUp(id: string) {
    if (takeDrop(world.faults)) return settle(id, "dropped");
    track(journey(id));
    for (let copy = 1; copy < world.faults.webhooks.repeat; copy += 1) track(sendOnce(id));
  }

  async function journey(id: string) {
    for (let tries = 0; !ended.signal.aborted; tries += 1) {
      await waits.wait(tries === 0 ? leadTime() : pauseAfter(tries));
      const attempt = await slots(() => tryOnce(id));
      if (attempt === null) return;
      if (received(attempt)) return settle(id, "delivered");
      if (world.now() - rowOf(id).since > threeDays) return settle(id, "abandoned");
    }
  }

  async function sendOnce(id: string) {
    await waits.wait(leadTime());
    await slots(() => tryOnce(id));
  }

  function leadTime(): number {
    const { delayMs, shuffleMs } = world.faults.webhooks;
    return delayMs + chance() * shuffleMs;
  }

  function pauseAfter(tries: number): number {
    return Math.min(patience.capMs, patience.firstMs * 2 ** (tries - 1));
  }

  async function tryOnce(id: string): Promise<Attempt | null> {
    const event = world.ledger.events.get(id);
    if (ended.signal.aborted || endpoint === null || event === undefined) return null;
    const attempt = await send(endpoint, JSON.stringify(emitted(world, event), null, 2), world.now());
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
      waits.hurry();
      await Promise.race([Promise.all(underWay), Bun.sleep(Math.min(500, deadline - Date.now()))]);
      wake();
    }
    return underWay.size === 0 && seen === world.ledger.deliveries.size();
  }

  return {
    wake,
    flush,
    redeliver(id) {
      if (world.ledger.events.get(id) === undefined) return false;
      track(journey(id));
      return true;
    },
    endpoint: () => endpoint,
    setEndpoint(next) {
      endpoint = next;
      wake();
    },
    stop() {
      ended.abort();
      waits.hurry();
    },
  };
}

/** Pauses that can all be ended at once. */
type Pauses = {
  wait(ms: number): Promise<void>;
  /** Ends every pause under way. */
  hurry(): void;
};

function pauses(): Pauses {
  const running = new Set<() => void>();
  return {
    wait: (ms) =>
      new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer);
          running.delete(end);
          resolve();
        };
        const timer = setTimeout(end, ms);
        running.add(end);
      }),
    hurry: () => {
      for (const end of running) end();
    },
  };
}
