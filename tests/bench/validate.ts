/**
 * `bun run bench validate [ROUNDS] [SECONDS] [BEFORE]`: the application's daily call for an account with one computer
 * and with five, with the account's token and with a computer's own, and the same in a shop that keeps a million
 * computers of other accounts. Each is also a share of the first, and of a bare Hono with a one-row join. BEFORE is a
 * checkout of an earlier release, with its packages installed: its own `tests/bench/shop.ts` is measured beside them.
 */
import { join, resolve } from "node:path";
import {
  connections,
  measure,
  openServers,
  percent,
  printTable,
  type Server,
  share,
  type Target,
} from "./servers";

const [rounds = 5, seconds = 2] = process.argv.slice(3, 5).map(Number);
const earlier = process.argv[5];
const others = 1_000_000;
const [bare, before, one, five, own, million] = [
  "bare Hono, session ⋈ account",
  "one computer, before",
  "one computer",
  "five computers",
  "five computers, by its own token",
  `five computers, of ${others} in the shop`,
] as const;

type Shop = Server & { team: string; own: string };

await main();
process.exit(0);

async function main() {
  await using servers = await openServers();
  const { folder } = servers;
  const copy = join(folder, "copy.db");
  const validating = (name: string, { url, pid }: Server, token: string): Target => ({
    name,
    url: new URL("/api/app/v1/validate", url).href,
    header: `authorization: Bearer ${token}`,
    body: JSON.stringify({ hwid: "bench-machine", version: "1.0.0" }),
    pid,
  });
  const shop = await servers.start<Shop>("shop.ts", join(folder, "data"), copy);
  const large = await servers.start<Shop>(
    "shop.ts",
    join(folder, "large"),
    join(folder, "large.db"),
    `${others}`,
  );
  const session = /session=([^;]+)/.exec(shop.cookie)?.[1] ?? "";
  const targets = [
    { name: bare, ...(await servers.start("bare.ts", "join", copy, session)), header: "" },
    validating(one, shop, shop.token),
    validating(five, shop, shop.team),
    validating(own, shop, shop.own),
    validating(million, large, large.team),
  ];
  if (earlier) {
    const file = resolve(earlier, "tests/bench/shop.ts");
    const shopBefore = await servers.start(file, join(folder, "before"), join(folder, "before.db"));
    targets.push(validating(before, shopBefore, shopBefore.token));
  }
  const results = await measure(targets, rounds, seconds);
  const first = earlier ? before : one;
  printTable(results, { "of the join": bare, [`of ${first}`]: first });
  console.log(`${rounds} rounds of ${seconds} s, ${connections} connections; medians.`);
  for (const [name, goal] of [
    [one, 1],
    [five, 1],
    [own, 1],
    [million, 0.8],
  ] as const) {
    if (name === first) continue;
    console.log(`${name}: ${percent(share(results, name, first))} of ${first}; the aim is ${percent(goal)}.`);
  }
}
