/**
 * `bun run soak [--orders=10000] [--kills=2000] [--seed=1]`: the shop under fire at length. Prints its
 * figures, and ends with 1 when an order or a receipt was lost or doubled or a failpoint never hit.
 */
import { parseArgs } from "node:util";
import { fire, isKept, report } from "./fire";

const { values } = parseArgs({
  options: {
    orders: { type: "string", default: "10000" },
    kills: { type: "string", default: "2000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});

console.log(`seed ${values.seed}`);
const figures = await fire({
  seed: Number(values.seed),
  orders: Number(values.orders),
  kills: Number(values.kills),
  say: (line) => console.log(line),
});
console.log(report(figures));
process.exit(isKept(figures) ? 0 : 1);
