/**
 * `bun run soak [--orders=10000] [--kills=2000] [--seed=1]`: sells through a shop that keeps being
 * killed. Prints its figures, and exits with 1 if an order or receipt was lost or duplicated, or a failpoint never hit.
 *
 * `bun run soak --stops=1000 [--seed=1]`: SIGTERM under load; exits with 1 if a request was lost.
 *
 * `bun run soak --outage`: ten minutes of a broken gateway, in real time; exits with 1 if the bot misses something.
 */
import { parseArgs } from "node:util";
import { isKept, report } from "./figures";
import { crashOrders } from "./orders";
import { nothingLost, reportStops, stopAgainAndAgain } from "./stops";

const { values } = parseArgs({
  options: {
    orders: { type: "string", default: "10000" },
    kills: { type: "string", default: "2000" },
    stops: { type: "string" },
    outage: { type: "boolean", default: false },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const seed = Number(values.seed);
const print = (line: string) => console.log(line);

if (values.outage) process.exit(await outage());
print(`seed ${seed}`);
process.exit((await (values.stops === undefined ? killed() : stopped(Number(values.stops)))) ? 0 : 1);

async function killed(): Promise<boolean> {
  const figures = await crashOrders({
    seed,
    orders: Number(values.orders),
    kills: Number(values.kills),
    print,
  });
  print(report(figures));
  return isKept(figures);
}

async function stopped(stops: number): Promise<boolean> {
  const figures = await stopAgainAndAgain({ seed, stops, print });
  print(reportStops(figures));
  return nothingLost(figures);
}

/** The story of an outage, which otherwise runs on a faster clock. */
function outage(): Promise<number> {
  const story = ["tests/stories/bot/outage.test.ts", "--test-name-pattern", "ten minutes"];
  return Bun.spawn([process.execPath, "test", ...story], {
    cwd: new URL("../..", import.meta.url).pathname,
    env: { ...process.env, OUTAGE: "real" },
    stdio: ["ignore", "inherit", "inherit"],
  }).exited;
}
