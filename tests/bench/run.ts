/**
 * `bun run bench`: how fast a signed-in call, a validation, a sign-in and a settled webhook are, compared in two minutes
 * with programs that do nothing else, and with their goals.
 *
 *     bun run bench [ROUNDS] [SECONDS]
 *     bun run bench growth [ACCOUNTS]     what grows with the number of customers: growth.ts
 *     bun run bench abuse [SECONDS]       what others notice of a customer's abuses: abuse.ts
 *     bun run bench mail [EMAILS]         emails a second: mail.ts
 *     bun run bench search [ACCOUNTS]     the desk's search: search.ts
 *
 * Every server is a process of its own, and the load comes from another. They take turns in short rounds, and what
 * counts is the median of the rounds' ratios, because a busy machine slows both sides alike.
 */
import { password } from "./password";
import {
  connections,
  measure,
  openServers,
  percent,
  printTable,
  processorShare,
  share,
  type Target,
} from "./servers";
import { compareSettling } from "./settle";
import { median } from "../support/checks/percentile";

if (process.argv[2] === "growth") await import("./growth");
if (process.argv[2] === "abuse") await import("./abuse");
if (process.argv[2] === "mail") await import("./mail");
if (process.argv[2] === "search") await import("./search");
const [rounds = 3, seconds = 2] = process.argv.slice(2).map(Number);
const [bun, join, argon] = ["bare Bun.serve", "bare Hono, session ⋈ account", "bare argon2id, two at a time"];

/** What each must reach of a bare program: of a Hono with a one-row join on `@libsql/client`, and of the hashes alone. */
const goals = [
  { name: "/api/user/me", of: join, goal: 1.8 },
  { name: "/api/app/v1/validate", of: join, goal: 1.2 },
  { name: "/api/auth/login", of: argon, goal: 0.9 },
];
/** The same of settled webhooks and bare commits. */
const settledGoal = 0.25;

await measureServers();
await measureSettling();
process.exit(0);

async function measureServers() {
  await using servers = await openServers();
  const results = await measure(await targets(servers), rounds, seconds);
  printTable(results, { "of bare Bun": bun, "of the join": join });
  console.log(`${rounds} rounds of ${seconds} s, ${connections} connections; medians.`);
  for (const { name, of, goal } of goals) {
    const reached = percent(share(results, name, of));
    const byProcessor = percent(processorShare(results, name, of));
    console.log(
      `${name} reaches ${reached} of the ${of}, ${byProcessor} by processor time; the goal is ${percent(goal)}.`,
    );
  }
}

/** In as many rounds, each of so many orders as take about the same time. */
async function measureSettling() {
  const { settled, committed } = await compareSettling(seconds * 100, rounds);
  const reached = percent(median(settled.map((rate, at) => rate / (committed[at] ?? 1))));
  console.log(
    `Settled webhooks (${median(settled).toFixed(0)}/s) reach ${reached} of bare commits ` +
      `(${median(committed).toFixed(0)}/s); the goal is ${percent(settledGoal)}.`,
  );
}

async function targets(servers: Awaited<ReturnType<typeof openServers>>): Promise<Target[]> {
  const { folder } = servers;
  const copy = `${folder}/copy.db`;
  const shop = await servers.start("shop.ts", `${folder}/data`, copy);
  const token = /session=([^;]+)/.exec(shop.cookie)?.[1] ?? "";
  const bare = async (kind: string) => ({
    ...(await servers.start("bare.ts", kind, copy, token)),
    header: "",
  });
  const { pid } = shop;
  const address = (path: string) => new URL(path, shop.url).href;
  return [
    { name: bun, ...(await bare("bun")) },
    { name: join, ...(await bare("join")) },
    { name: "bare Hono, the shop's own query", ...(await bare("query")) },
    { name: "/api/user/me", url: address("/api/user/me"), header: `cookie: ${shop.cookie}`, pid },
    {
      name: "/api/app/v1/validate",
      url: address("/api/app/v1/validate"),
      header: `authorization: Bearer ${shop.token}`,
      body: JSON.stringify({ hwid: "bench-machine", version: "1.0.0" }),
      pid,
    },
    { name: "landing page /", url: address("/"), header: "", pid },
    { name: argon, ...(await bare("argon2id")) },
    {
      name: "/api/auth/login",
      url: address("/api/auth/login"),
      header: "",
      // not of `bench`, whose session would be ended as one of too many
      body: JSON.stringify({ username: "team", password }),
      pid,
    },
  ];
}
