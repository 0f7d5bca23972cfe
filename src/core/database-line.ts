import { minute, second } from "@/contract/time";

/** As many calls as `@libsql/client` allows at once by itself. */
const mostAtOnce = 20;
/** A call that has waited this long may be on a connection that never answers again. */
const silentMilliseconds = 1_000;
/** How long Bun keeps idle connections to use them again, with a reserve. */
const pooledMilliseconds = 5 * minute + 10 * second;

/**
 * The `fetch` for the client of a database server: a call without an answer fails with a `TimeoutError` after
 * `mostMilliseconds`.
 *
 * A host that loses power or a network that forgets a connection leaves it open and silent, and idle connections
 * that are kept for the next calls are then as dead as the one that was noticed. So while any call is silent, and
 * after one failed for as long as idle connections are kept, each call opens a connection of its own. A silent call
 * gives its place to the calls that wait.
 */
export function databaseLine(mostMilliseconds: number): (request: Request) => Promise<Response> {
  const places = createPlaces(mostAtOnce);
  let silentCalls = 0;
  let distrustedUntil = Number.NEGATIVE_INFINITY;

  return async (request) => {
    const leave = await places.enter();
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

/** With its body, which may also be what never arrives. */
async function answerOf(request: Request, init: RequestInit): Promise<Response> {
  const { status, headers, body, ...answer } = await read(await fetch(request, init));
  return new Response(body, { status, headers, ...answer });
}

const read = async (answer: Response) => ({
  status: answer.status,
  headers: { "content-type": answer.headers.get("content-type") ?? "" },
  body: await answer.arrayBuffer(),
});

/** At most so many at once; the others wait in order. `enter` resolves to what gives the place back, once. */
function createPlaces(most: number) {
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
