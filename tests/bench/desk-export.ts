import { generateSync } from "otplib";
import { limitTable } from "@/contract/vocabulary/limits";
import { startShopProcess, startWorld } from "../crash/processes";
import { grown } from "../growth/fill";
import { Person } from "../support/people/person";
import { healthTimes } from "./health-times";

const goals = { health: 50, memory: 64 };

/** Exports every payment of the shop in FOLDER over HTTP, and prints what others notice and how memory grows. */
export async function exportMeanwhile(folder: string, secretKey: string): Promise<void> {
  const world = await startWorld(folder);
  const shop = await startShopProcess(world, {
    NODE_ENV: "production",
    PUBLIC_URL: world.shopUrl,
    SECRET_KEY: secretKey,
    LIMITS: Object.keys(limitTable({}))
      .map((name) => `${name}=1000000000/60`)
      .join(","),
  });
  try {
    if (!shop.answered) throw new Error(`the shop did not start: ${await shop.errors}`);
    const owner = await atTheDesk(world.shopUrl);
    const idle = await healthTimes(world.shopUrl, () => Bun.sleep(5_000));
    console.log(`/api/health beside nothing: ${idle.sentence}`);
    for (const list of ["payments", "licences"]) {
      const before = await memoryOf(shop.child.pid);
      const read = { rows: 0, bytes: 0, most: before };
      const wanted = { shopUrl: world.shopUrl, owner, list, pid: shop.child.pid };
      const { sentence, seconds } = await healthTimes(world.shopUrl, () => download(wanted, read));
      console.log(
        `export of ${read.rows} ${list}, ${(read.bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(0)} s: /api/health ${sentence} (goal p99 ${goals.health}); memory ${before.toFixed(0)} MB, ${(read.most - before).toFixed(0)} MB more (goal ${goals.memory})`,
      );
    }
  } finally {
    await shop.kill();
    await world.stop();
  }
}

/** Signs the owner in, turns two-factor on, and enters the desk; each code works once. */
async function atTheDesk(shopUrl: string): Promise<Person> {
  const owner = new Person(() => new URL(shopUrl));
  const expected = async (answer: Promise<{ status: number; body: { data: unknown } }>) => {
    const { status, body } = await answer;
    if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
    return body.data as { secret: string };
  };
  await expected(owner.post("/api/auth/login", grown));
  const { secret } = await expected(owner.post("/api/user/mfa/reset", { password: grown.password }));
  const code = () => generateSync({ secret });
  await expected(owner.post("/api/user/mfa/enable", { security_code: code() }));
  await Bun.sleep(31_000);
  await expected(owner.post("/api/desk/enter", { security_code: code() }));
  return owner;
}

type Read = { rows: number; bytes: number; most: number };

type Export = { shopUrl: string; owner: Person; list: string; pid: number };

async function download({ shopUrl, owner, list, pid }: Export, read: Read): Promise<void> {
  const response = await fetch(`${shopUrl}/api/desk/export/${list}.csv`, {
    headers: {
      cookie: [...owner.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      "x-forwarded-for": owner.address,
    },
  });
  if (!response.ok || !response.body) throw new Error(`the export answered ${response.status}`);
  for await (const piece of response.body) {
    read.bytes += piece.length;
    read.rows += piece.reduce((lines, byte) => lines + (byte === 10 ? 1 : 0), 0);
    read.most = Math.max(read.most, await memoryOf(pid));
  }
}

/** The memory of a process, in megabytes. */
async function memoryOf(pid: number): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`).text();
  return (Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024) / 1e6;
}
