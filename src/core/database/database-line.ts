import { minute, second } from "@/contract/vocabulary/time";

/** `@libsql/client`'s own limit. */
const mostAtOnce = 20;
/** After this long without an answer, a call's connection may be dead. */
const silentMilliseconds = 1_000;
/** How long Bun keeps idle connections for later calls (5 minutes), plus a margin. */
const pooledMilliseconds = 5 * minute + 10 * second;

/**
 * The `fetch` for the client of a database server: a call without an answer fails with a `TimeoutError` after
 * `mostMilliseconds`.
 *
 * If a host loses power or a network drops a connection's state, the connection stays open and silent, and Bun's idle
 * connections are then as dead as the silent one. So while any call is silent, and for as long as Bun keeps idle
 * connections after a failure, each call opens its own connection. A silent call gives its slot to a waiting call.
 */
export function databaseLine(mostMilliseconds: number): (request: Request) => Promise<Response> {
  const slots = createSlots(mostAtOnce);
  let silentCalls = 0;
  let distrustedUntil = Number.NEGATIVE_INFINITY;

  return async (request) => {
    const leave = await slots.enter();
    let isSilent = false;
    const timer = setTimeout(() => {
      isSilent = true;
      silentCalls += 1;
      leave();
    }, silentMilliseconds);
    const keepalive = silentCalls === 0 && performance.now() > distrustedUntil;
    try {
      return await answerOf(request, { keepalive, signal: AbortSignal.timeout(mostMilliseconds) });
    } catch (error) {
      if (isTimeout(error)) distrustedUntil = performance.now() + pooledMilliseconds;
      throw error;
    } finally {
      clearTimeout(timer);
      if (isSilent) silentCalls -= 1;
      leave();
    }
  };
}

export const isTimeout = (error: unknown) => error instanceof Error && error.name === "TimeoutError";

/** Reads the body too, which may also never arrive. */
async function answerOf(request: Request, init: RequestInit): Promise<Response> {
  const { status, headers, body, ...answer } = await read(await fetch(request, init));
  return new Response(body, { status, headers, ...answer });
}

const read = async (answer: Response) => ({
  status: answer.status,
  headers: { "content-type": answer.headers.get("content-type") ?? "" },
  body: await answer.arrayBuffer(),
});

/** At most `most` calls at once; the others wait in order. `enter` resolves to a function that frees the slot. */
function createSlots(most: number) {
  const waiting: (() => void)[] = [];
  let taken = 0;
  const next = () => {
    taken -= 1;
    waiting.shift()?.();
  };
  return {
    async enter(): Promise<() => void> {
      if (taken >= most) await new Promise<void>((resolve) => waiting.push(resolve));
      taken += 1;
      let left = false;
      return () => {
        if (!left) next();
        left = true;
      };
    },
  };
}
