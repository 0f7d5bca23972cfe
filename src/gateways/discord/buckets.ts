import type { BucketMemory, BucketState } from "@/domain/community/bucket-memory";

/** Of an answer of Discord's, what tells how a bucket stands. */
type Answer = { status: number; headers: { get(name: string): string | null } };

/**
 * Keeps calls out of exhausted buckets, by what Discord's headers say and also where it was said to a process
 * that died: https://discord.com/developers/docs/topics/rate-limits. A bucket is named by {@link bucketOf}.
 */
export type Buckets = {
  /** Sends one and reads from its answer how the bucket stands. Throws {@link UsedUp} where none may go out now. */
  during<A extends Answer>(bucket: string, call: () => Promise<A>): Promise<A>;
  /** How many calls are left, one where nothing was said yet, and for how long it stays so. */
  standing(bucket: string): { left: number; milliseconds: number };
  /** Nothing goes out any more: what waits in a queue somewhere is not to meet who comes after. */
  close(): void;
};

/** Nothing may go out for so long; nothing was sent. */
export class UsedUp extends Error {
  override name = "UsedUp";
  constructor(readonly milliseconds: number) {
    super(`Discord's bucket is used up for ${Math.ceil(milliseconds)} ms`);
  }
}

/** Whose calls they are: Discord counts the bot's and the application's apart. */
export type Caller = "bot" | "application";

/** So many calls go out in any such time, over all buckets; a little longer than Discord's second, as lines vary. */
const mostAtOnce = 50;
const paceMilliseconds = 1_100;
/** From so many on each call is written down before it goes out: as many as may be under way when a process dies. */
const nearlyUsedUp = 3;
/** A window begins when a call arrives, which may take a moment. */
const wayMilliseconds = 1_000;
/** More than so many are looked through for those that are over: each channel and thread has its own. */
const mostKnown = 500;

/** `written` is what of it stands in the memory; `supposed`: nobody has told of this window yet. */
type Known = BucketState & { written: number; supposed?: boolean };

/** The machine's time, which does not jump within a process. */
const machineTime = () => performance.timeOrigin + performance.now();

export function createBuckets(
  memory: BucketMemory,
  caller: Caller,
  now: () => number = machineTime,
): Buckets {
  /** What all calls together are held back by, where Discord said so. */
  const everything = `* ${caller}`;
  const sent: number[] = [];
  let closed = false;
  const known = new Map<string, Known>();
  const underWay = new Map<string, number>();
  const count = (bucket: string) => underWay.get(bucket) ?? 0;
  const running = (bucket: string) => {
    const state = known.get(bucket);
    return state && now() < state.until ? state : null;
  };
  const forget = () => {
    if (known.size > mostKnown) for (const bucket of known.keys()) if (!running(bucket)) known.delete(bucket);
  };
  /** Another process may have learned what this one doesn't know. */
  const recall = async (bucket: string) => {
    if (running(bucket)) return;
    const state = await memory.recall(bucket, now());
    if (state && !running(bucket)) known.set(bucket, { ...state, written: state.left });
  };
  // once: what comes later this process is told itself
  let everythingRecalled: Promise<void> | undefined;
  const keepOut = (bucket: string) => {
    const state = running(bucket);
    if (state && state.left <= count(bucket)) throw new UsedUp(state.until - now());
  };
  const keepPace = () => {
    const first = sent.length < mostAtOnce ? -Infinity : (sent[0] ?? -Infinity);
    if (now() - first < paceMilliseconds) throw new UsedUp(first + paceMilliseconds - now());
    if (sent.push(now()) > mostAtOnce) sent.shift();
  };
  /** A bucket that takes only a few is taken as begun by its first call, as that may die before it is answered. */
  const begin = (bucket: string) => {
    const state = known.get(bucket);
    if (!state || running(bucket) || state.limit > nearlyUsedUp) return;
    known.set(bucket, {
      ...state,
      left: state.limit,
      until: now() + state.length + wayMilliseconds,
      written: state.limit,
      supposed: true,
    });
  };
  /** What stands in the memory is never more than what is left. */
  const write = async (bucket: string) => {
    const state = running(bucket);
    if (!state) return;
    const left = Math.max(0, state.left - count(bucket));
    if (left > nearlyUsedUp || left >= state.written) return;
    state.written = left;
    await memory.keep(bucket, now(), { ...state, left });
  };
  /** An answer that was lost, or says nothing, may have cost a call. */
  const suppose = (bucket: string) => {
    const state = running(bucket);
    if (!state) return;
    state.left = Math.max(0, state.left - 1);
    if (state.supposed) state.until = now() + state.length;
  };
  const learn = (bucket: string, { status, headers }: Answer) => {
    const read = (name: string) => Number(headers.get(name) ?? Number.NaN);
    const refused = status === 429;
    // a limit within a bucket's own, such as renaming's, says nothing of the bucket
    if (refused && read("x-ratelimit-remaining") > 0) return;
    const seconds = read(refused ? "retry-after" : "x-ratelimit-reset-after");
    const remaining = refused ? 0 : read("x-ratelimit-remaining");
    if (!Number.isFinite(seconds) || !Number.isFinite(remaining)) return suppose(bucket);
    const last = known.get(bucket);
    const before = last?.supposed ? null : running(bucket);
    known.set(bucket, {
      limit: read("x-ratelimit-limit") || (last?.limit ?? 1),
      // how long one is to be patient is another matter
      length: Math.max(last?.length ?? 0, refused ? 0 : seconds * 1000),
      // answers may overtake one another; in one window what is left only falls
      left: Math.min(before?.left ?? remaining, remaining),
      until: Math.max(before?.until ?? 0, now() + seconds * 1000),
      written: running(bucket)?.written ?? Number.POSITIVE_INFINITY,
    });
    forget();
  };
  return {
    async during(bucket, call) {
      await Promise.all([recall(bucket), (everythingRecalled ??= recall(everything))]);
      if (closed) throw new UsedUp(Number.POSITIVE_INFINITY);
      keepOut(everything);
      keepOut(bucket);
      keepPace();
      begin(bucket);
      underWay.set(bucket, count(bucket) + 1);
      try {
        await write(bucket);
        const answer = await call();
        const global = answer.headers.get("x-ratelimit-global") !== null;
        learn(global ? everything : bucket, answer);
        return answer;
      } catch (error) {
        suppose(bucket);
        throw error;
      } finally {
        underWay.set(bucket, count(bucket) - 1);
        if (count(bucket) === 0) underWay.delete(bucket);
        await Promise.all([write(bucket), write(everything)]);
      }
    },
    standing(bucket) {
      const state = running(bucket);
      if (!state) return { left: known.get(bucket)?.limit ?? 1, milliseconds: 0 };
      return { left: state.left, milliseconds: state.until - now() };
    },
    close: () => void (closed = true),
  };
}

/**
 * Which bucket a call goes into, as Discord counts: by its method and path, in which ids are one but for a channel's
 * and a server's. Null for answers to interactions, whose own short-lived token has one and is not to be kept.
 */
export function bucketOf(method: string, path: string): string | null {
  if (/^\/(webhooks|interactions)\//.test(path)) return null;
  const [major = ""] = /^\/(?:channels|guilds)\/\d+/.exec(path) ?? [];
  return `${method} ${major}${path.slice(major.length).replace(/\d{15,20}/g, ":id")}`;
}
