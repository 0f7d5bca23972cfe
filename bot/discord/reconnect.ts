import { setImmediate } from "node:timers/promises";
import { SimpleShardingStrategy, type WebSocketOptions, WebSocketShardStatus } from "discord.js";
import { minute } from "@/contract/vocabulary/time";
import type { Ctx } from "@/core/database/context";
import type { IdentifyBudget } from "./identify-budget";
import { waitOnClock } from "./elapsed";

const firstPauseMilliseconds = 1_000;
/** Only an attempt that identifies counts towards Discord's daily limit. */
const longestPauseMilliseconds = { free: 10_000, identified: minute };
/** When a connection that lasted this long breaks, the next attempt comes at once. */
const stableMilliseconds = minute;
/** A working gateway sends its HELLO within milliseconds. */
const helloMilliseconds = 10_000;
/** https://discord.com/developers/docs/events/gateway#resuming asks for a random pause of 1 to 5 s. */
const resumePause = { shortest: 1_000, spread: 4_000 };
/** How long to wait for the gateway to confirm a close. */
const goodbyeMilliseconds = 2_000;

export type ReconnectPace = ReturnType<typeof reconnectPace>;

/** The growing pause before each further attempt to connect. All clients of a session share it. */
export function reconnectPace(now: () => number) {
  let tries = 0;
  let identifies = 0;
  let readyAt: number | null = null;
  return {
    identified() {
      identifies += 1;
    },
    ready() {
      readyAt = now();
    },
    /** The pause before the next attempt, in milliseconds. */
    next(): number {
      if (readyAt !== null && now() - readyAt >= stableMilliseconds) tries = identifies = 0;
      readyAt = null;
      tries += 1;
      return Math.max(
        doubledDelay(tries, longestPauseMilliseconds.free),
        doubledDelay(identifies, longestPauseMilliseconds.identified),
      );
    },
  };
}

const doubledDelay = (count: number, longest: number): number =>
  count <= 1 ? 0 : Math.min(firstPauseMilliseconds * 2 ** (count - 2), longest);

type Parts = { ctx: Ctx; pace: ReconnectPace; budget: IdentifyBudget };
export type Reconnect = ReturnType<typeof createReconnect>;

/** What awaits this is garbage collected with its client. */
const never = new Promise<never>(() => {});

/**
 * Controls when a client of discord.js opens a socket. On its own it tries twice a second, and a client destroyed
 * between two attempts, or while waiting for HELLO, keeps connecting forever. Before each attempt a shard asks for the
 * session to resume; there it waits for its turn, or forever once the client has ended.
 */
export function createReconnect({ ctx, pace, budget }: Parts) {
  const over = new AbortController();
  let first = true;
  let closing = new Set<unknown>();
  let strategy: SimpleShardingStrategy | null = null;
  /** Discord has just said that it can't resume the session now but may later. */
  let isPutOff = false;
  const sockets = () =>
    [...(strategy?.["shards"].values() ?? [])].flatMap((shard) => shard["connection"] ?? []);
  const turn = async () => {
    // discord.js leaves behind connecting sockets that it gave up on
    for (const socket of sockets()) socket.terminate();
    const milliseconds = first ? 0 : pace.next();
    first = false;
    ctx.log.debug("the bot connects to the gateway", { milliseconds });
    await waitOnClock(ctx, milliseconds, over.signal).catch(() => {});
    if (!over.signal.aborted) return;
    ctx.log.debug("a client that has ended was kept from connecting again");
    await never;
  };
  /** discord.js would resume again at once, each time Discord postpones it. */
  const pauseBeforeResuming = async () => {
    const open = sockets();
    const milliseconds = Math.round(resumePause.shortest + resumePause.spread * Math.random());
    ctx.log.debug("the bot waits before it resumes", { milliseconds });
    await waitOnClock(ctx, milliseconds, over.signal).catch(() => {});
    // if the connection ended meanwhile, discord.js opens another itself
    if (over.signal.aborted || open.some(({ readyState }) => readyState !== WebSocket.OPEN)) await never;
  };
  const ws: WebSocketOptions = {
    buildIdentifyThrottler: () => ({
      async waitForIdentify(shard, signal) {
        const either = AbortSignal.any([signal, over.signal]);
        await budget.waitForIdentify(shard, either).catch((error: unknown) => {
          if (over.signal.aborted) return never;
          throw error;
        });
        pace.identified();
      },
    }),
    buildStrategy(manager) {
      const built = new SimpleShardingStrategy(manager);
      const given = { ...manager.options };
      manager.options.helloTimeout = helloMilliseconds;
      manager.options.retrieveSessionInfo = async (shard) => {
        if (isPutOff) {
          isPutOff = false;
          await pauseBeforeResuming();
        }
        // a connected shard asks too, for the sequence number of the last event
        const status = (await built.fetchStatus()).get(shard);
        if (over.signal.aborted || status === WebSocketShardStatus.Idle) await turn();
        return given.retrieveSessionInfo(shard);
      };
      return (strategy = built);
    },
  };
  return {
    ws,
    /**
     * Reads discord.js's debug messages: only they say, right before the shard resumes, that Discord has postponed it.
     */
    onDebug(message: string) {
      if (message.includes("Invalid session; will attempt to resume: true")) isPutOff = true;
    },
    isConnected: () => sockets().every(({ readyState }) => readyState === WebSocket.OPEN),
    /** Cuts connections still closing since the last call: discord.js waits for a confirmation that may never come. */
    closeSilent() {
      const now = sockets().filter(({ readyState }) => readyState === WebSocket.CLOSING);
      for (const socket of now) if (closing.has(socket)) socket.terminate();
      closing = new Set(now);
    },
    /** Ends the client with `destroy`; afterwards it has no open socket and opens none. */
    async end(destroy: () => Promise<void>): Promise<void> {
      over.abort();
      // a shard that has just had its turn opens its socket first
      await setImmediate();
      const left = sockets();
      await Promise.race([destroy(), Bun.sleep(goodbyeMilliseconds)]);
      for (const socket of left) socket.terminate();
    },
  };
}
