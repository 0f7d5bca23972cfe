/** How long each answer takes, so that simultaneous requests overlap on a busy machine too. */
const lineMilliseconds = 20;

type Passed = { startedAt: number; endedAt: number; rounds: number };

/**
 * A proxy in front of a database server that counts round trips: a request that begins after another was answered
 * follows it, and what is counted is the longest chain of such requests.
 */
export function startCountingProxy(target: string) {
  let passed: Passed[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const one: Passed = { startedAt: performance.now(), endedAt: Infinity, rounds: 0 };
      one.rounds = 1 + roundsOf(passed.filter(({ endedAt }) => endedAt < one.startedAt));
      passed.push(one);
      const body = await request.arrayBuffer();
      const { method, headers } = request;
      const [answer] = await Promise.all([
        fetch(new URL(pathname, target), { method, headers, ...(method === "POST" ? { body } : {}) }),
        Bun.sleep(lineMilliseconds),
      ]);
      const bytes = await answer.arrayBuffer();
      one.endedAt = performance.now();
      return new Response(bytes, {
        status: answer.status,
        headers: { "content-type": answer.headers.get("content-type") ?? "" },
      });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    /** The round trips that `act` makes until it resolves. */
    async roundTrips(act: () => Promise<unknown>): Promise<number> {
      passed = [];
      await act();
      return roundsOf(passed.filter(({ endedAt }) => endedAt < Infinity));
    },
    stop: () => server.stop(true),
  };
}

const roundsOf = (passed: Passed[]) => Math.max(0, ...passed.map(({ rounds }) => rounds));
