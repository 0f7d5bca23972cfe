/**
 * Loaded into a shop: answers on the socket that the environment names how long it has computed at most, since the last
 * answer, without serving anybody. Counted in processor time, which leaves out what other processes took.
 */
import { readFileSync } from "node:fs";

export type LongestTurn = { milliseconds: number };

const everyMilliseconds = 2;
/** What the thread that serves has used of a processor, as Linux counts it (in nanoseconds). */
const usedMilliseconds = () =>
  Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, "latin1").split(" ")[0]) / 1e6;
const socket = process.env.LATCHKEY_TURNS;
if (socket) {
  let longest = 0;
  let before = usedMilliseconds();
  setInterval(() => {
    const used = usedMilliseconds();
    longest = Math.max(longest, used - before);
    before = used;
  }, everyMilliseconds).unref();
  const server = Bun.serve({
    unix: socket,
    fetch() {
      const reported = longest;
      longest = 0;
      return Response.json({ milliseconds: reported } satisfies LongestTurn);
    },
  });
  server.unref();
}
