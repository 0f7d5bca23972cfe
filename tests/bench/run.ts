/**
 * `bun run bench`: how fast a signed-in call and the landing page are, compared with servers that do nothing else.
 *
 *     bun run bench [ROUNDS] [SECONDS]
 *     bun run bench growth [ACCOUNTS]     what grows with the number of customers: growth.ts
 *     bun run bench abuse [SECONDS]       what others notice of a customer's abuses: abuse.ts
 *     bun run bench processes [ROUNDS] [SECONDS]     one and two processes on a database server: processes.ts
 *     bun run bench desk [ACCOUNTS]       lists, filters, search and exports of the desk: desk.ts
 *     bun run bench figures [PAYMENTS]    the figures of the desk: figures.ts
 *     bun run bench mail [EMAILS]         emails a second: mail.ts
 *     bun run bench renewals [RENEWALS] [SECONDS]     what everybody notices while subscriptions renew: renewals.ts
 *     bun run bench validate [ROUNDS] [SECONDS] [BEFORE]     the application's call with several computers: validate.ts
 *     bun run bench webhooks [WAITING]    webhooks, and letters beside dead receivers: webhooks.ts
 *
 * Every server is a process of its own, and the load comes from another. They take turns in short rounds, and what
 * counts is the median of the rounds' ratios, because a busy machine slows both sides alike.
 */
import { connections, measure, openServers, percent, printTable, share, type Target } from "./servers";

if (process.argv[2] === "growth") await import("./growth");
if (process.argv[2] === "abuse") await import("./abuse");
if (process.argv[2] === "processes") await import("./processes");
if (process.argv[2] === "desk") await import("./desk");
if (process.argv[2] === "figures") await import("./figures");
if (process.argv[2] === "mail") await import("./mail");
if (process.argv[2] === "renewals") await import("./renewals");
if (process.argv[2] === "validate") await import("./validate");
if (process.argv[2] === "webhooks") await import("./webhooks");
const [rounds = 5, seconds = 2] = process.argv.slice(2).map(Number);
const [bun, join] = ["bare Bun.serve", "bare Hono, session ⋈ account"];
/** The share that a call must reach of a bare Hono with a one-row join on `@libsql/client`. */
const goals = { "/api/user/me": 1.8, "/api/app/v1/validate": 1.2 };

await using servers = await openServers();
const results = await measure(await targets(), rounds, seconds);
printTable(results, { "of bare Bun": bun, "of the join": join });
console.log(`${rounds} rounds of ${seconds} s, ${connections} connections; medians.`);
for (const [name, goal] of Object.entries(goals)) {
  const reached = percent(share(results, name, join));
  console.log(`${name} reaches ${reached} of the bare join; the goal is ${percent(goal)}.`);
}

async function targets(): Promise<Target[]> {
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
  ];
}
