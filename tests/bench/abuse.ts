/**
 * `bun run bench abuse [SECONDS=20] [FOLDER]`: what others notice of a customer with a year of their limits, who goes as
 * far as these allow. `/api/health` is asked beside each abuse: guesses from a guesser's own browsers, a large ticket and
 * its transcript, connections that read nothing, own lists as fast as the limit allows, sixty lists and thirty looks at a
 * ticket at once, nested bodies. FOLDER keeps the database for the next run.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { minute } from "@/contract/vocabulary/time";
import { startShopProcess, startWorld, type ShopProcess } from "../crash/processes";
import { fill, grown, openFilled } from "../growth/fill";
import { fillYear, type Filled, fullYear } from "../growth/year";
import { healthTimes } from "./health-times";
import { memoryOf } from "./of-process";

const seconds = Number(process.argv[3] ?? 20);
const kept = process.argv[4];
const folder = kept ? resolve(kept) : await mkdtemp(join(tmpdir(), "latchkey-abuse-"));
const secretKey = Buffer.alloc(32, 9).toString("base64");
const goals = { p99: 50, megabytes: 150 };

// made again by the next line
await rm(join(folder, "data/site"), { force: true });
const world = await startWorld(folder);
let shop: ShopProcess | undefined;

async function database(): Promise<Filled> {
  const note = Bun.file(join(folder, "filled.json"));
  if (await note.exists()) return note.json() as Promise<Filled>;
  const settings = { DATA_DIR: world.dataDir, SECRET_KEY: secretKey };
  await fill(1_000, settings);
  const { ctx, account } = await openFilled(settings);
  const owner = { id: account.id, discordUserId: "900000000000000500" };
  ctx.store.close();
  const filled = fillYear(ctx, join(world.dataDir, "shop.db"), owner, fullYear);
  await Bun.write(note, JSON.stringify(filled));
  return filled;
}

async function signIn(address = "192.0.2.7"): Promise<string> {
  const answer = await guess(address, "", grown.password);
  if (!answer.ok) throw new Error(`signing in answered ${answer.status}: ${await answer.text()}`);
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
}

const guess = (address: string, cookie: string, password: string, username = grown.username) =>
  fetch(`${world.shopUrl}/api/auth/login`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "sec-fetch-site": "same-origin",
      "x-forwarded-for": address,
      cookie,
    },
    body: JSON.stringify({ username, password }),
  });

type Asking = { path: string; cookie: string };

async function abuse({ ticketId }: Filled, { child }: ShopProcess): Promise<void> {
  const cookie = await signIn();
  const until = () => performance.now() + seconds * 1_000;
  const ask = async ({ path, cookie: of }: Asking) => {
    const answer = await fetch(`${world.shopUrl}${path}`, { headers: { cookie: of } });
    await answer.arrayBuffer();
    return answer.status;
  };
  await report("alone", () => Bun.sleep(seconds * 1_000));

  await report("guesses from thirty browsers of one's own", async () => {
    const own = await Promise.all(
      Array.from({ length: 8 }, async (_, at) =>
        (await signIn(`192.0.3.${at}`)).replace(/session=[^;]*; ?/, ""),
      ),
    );
    await forEach(30, until(), async (at) => {
      await (await guess(`192.0.4.${at}`, own[at % own.length] ?? "", "not this one", "customer7")).text();
    });
  });

  await report("a ticket of 10 MB, looked at twice a second, and its transcript", async () => {
    const end = until();
    await Promise.all([
      forEach(1, end, async () => {
        await ask({ path: `/api/tickets/${ticketId}`, cookie });
        await Bun.sleep(500);
      }),
      forEach(2, end, async () => {
        await ask({ path: `/api/tickets/${ticketId}/transcript`, cookie });
        await Bun.sleep(500);
      }),
    ]);
  });

  for (const count of [24, 100]) {
    const before = await memoryOf(child.pid);
    let most = before;
    await report(`${count} connections that read nothing`, async () => {
      const paths = [`/api/tickets/${ticketId}/transcript`, "/api/user/export", `/api/tickets/${ticketId}`];
      const sockets = Array.from({ length: count }, (_, at) =>
        readNothing({ path: paths[at % paths.length] ?? "", cookie }),
      );
      const end = until();
      while (performance.now() < end) {
        await Bun.sleep(200);
        most = Math.max(most, await memoryOf(child.pid));
      }
      for (const socket of sockets) socket.destroy();
    });
    console.log(`  ${most - before} MB more meanwhile (goal ${goals.megabytes})`);
  }

  await report("own lists as fast as the limit allows", async () => {
    const paths = [
      "/api/payments",
      "/api/licenses/me",
      "/api/licenses/history",
      "/api/tickets",
      "/api/user/security-events",
    ];
    await forEach(4, until(), async (at) => {
      const status = await ask({ path: paths[at % paths.length] ?? "", cookie });
      if (status === 429) await Bun.sleep(200);
    });
  });

  const atOnce = {
    "sixty own lists": [60, "/api/payments"],
    "thirty looks": [30, `/api/tickets/${ticketId}`],
  } as const;
  for (const [what, [count, path]] of Object.entries(atOnce)) {
    // the limit's window of what came before
    await Bun.sleep(minute);
    await report(`${what} at once`, async () => {
      const statuses = await Promise.all(Array.from({ length: count }, () => ask({ path, cookie })));
      if (statuses.some((status) => status !== 200)) throw new Error(`answered ${statuses.join(", ")}`);
    });
  }

  const body = "[".repeat(58_000);
  await report("nested bodies over 32 connections of one address", () =>
    forEach(32, until(), async () => {
      const headers = { "content-type": "application/json", "x-forwarded-for": "192.0.2.9" };
      await (await fetch(`${world.shopUrl}/api/auth/login`, { method: "POST", headers, body })).text();
    }),
  );

  const before = await memoryOf(child.pid);
  await Bun.sleep(minute);
  console.log(`memory: ${before} MB at the end, ${await memoryOf(child.pid)} MB a minute later`);
}

/** This many workers that repeat something until then; each gets the count of all calls begun. */
async function forEach(
  workers: number,
  end: number,
  act: (begun: number) => Promise<unknown>,
): Promise<void> {
  let begun = 0;
  await Promise.all(
    Array.from({ length: workers }, async () => {
      while (performance.now() < end) {
        begun += 1;
        await act(begun);
      }
    }),
  );
}

/** A request whose answer stays where it is after its first bytes. */
function readNothing({ path, cookie }: Asking): Socket {
  const { hostname, port, host } = new URL(world.shopUrl);
  const socket = connect(Number(port), hostname);
  socket.once("data", () => socket.pause());
  // the shop gives up on such a reader
  socket.on("error", () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\ncookie: ${cookie}\r\n\r\n`);
  return socket;
}

/** How `/api/health` fares meanwhile for another visitor. */
async function report(what: string, meanwhile: () => Promise<unknown>): Promise<void> {
  const { p99, asked, sentence } = await healthTimes(world.shopUrl, meanwhile);
  const outcome = p99 <= goals.p99 ? "kept" : "MISSED";
  console.log(`/api/health, ${what}: ${sentence} (${asked} asked; goal p99 ${goals.p99} ms: ${outcome})`);
}

try {
  const filled = await database();
  shop = await startShopProcess(world, { NODE_ENV: "production", PUBLIC_URL: world.shopUrl });
  if (!shop.answered) throw new Error(`the shop did not start: ${await shop.errors}`);
  await abuse(filled, shop);
} finally {
  await shop?.kill();
  await world.stop();
  if (!kept) await rm(folder, { recursive: true, force: true });
}
process.exit(0);
