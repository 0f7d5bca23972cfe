/**
 * How fast a large file is handed out, and at what cost in memory:
 *
 *     bun tests/bench/downloads.ts [connections=50] [megabytes=200] [rounds=3]
 *
 * The shop sends one licensed account the same file over many connections at once; a bare
 * `Bun.serve(() => new Response(Bun.file(path)))` on the same machine is the measure. Both run as
 * processes of their own, taking turns, and so does what reads.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";

const role = process.argv[2];
if (role === "--bare") serveBare();
else if (role === "--shop") await serveShop();
else if (role === "--read") await read();
else if (import.meta.main) await compareDownloads(...process.argv.slice(2).map(Number));

type Served = { url: string; path: string; authorization: string; pid: number; stop(): Promise<void> };
type Run = { megabytesPerSecond: number; residentMegabytes: number };

/** Prints both rates, their ratio and the memory each held at most; resolves to the ratio. */
export async function compareDownloads(connections = 50, megabytes = 200, rounds = 3): Promise<number> {
  const dir = await mkdtemp(join(tmpdir(), "latchkey-bench-"));
  const file = join(dir, "large.bin");
  await writeRandom(file, megabytes);
  const [bare, shop] = [await start("--bare", file), await start("--shop", file)];
  try {
    const runs: Record<"bare" | "shop", Run[]> = { bare: [], shop: [] };
    await Promise.all([readAll(bare, 2), readAll(shop, 2)]);
    const idle = { bare: await resident(bare.pid), shop: await resident(shop.pid) };
    for (let round = 0; round < rounds; round += 1) {
      runs.bare.push(await measure(bare, connections, megabytes));
      runs.shop.push(await measure(shop, connections, megabytes));
    }
    const best = (all: Run[]) => Math.max(...all.map((run) => run.megabytesPerSecond));
    const most = (all: Run[]) => Math.max(...all.map((run) => run.residentMegabytes));
    const ratio = best(runs.shop) / best(runs.bare);
    console.log(
      `downloads: ${megabytes} MB over ${connections} connections, best of ${rounds}, ${cpus().length} cores`,
    );
    for (const name of ["bare", "shop"] as const) {
      const line = `${best(runs[name]).toFixed(0).padStart(6)} MB/s, memory ${idle[name].toFixed(0)} MB idle, ${most(runs[name]).toFixed(0)} MB at most`;
      console.log(`  ${name.padEnd(5)} ${line}`);
    }
    console.log(`  ratio ${(ratio * 100).toFixed(0)} % (goal 80 %)`);
    return ratio;
  } finally {
    await Promise.all([bare.stop(), shop.stop()]);
    await rm(dir, { recursive: true, force: true });
  }
}

async function measure(served: Served, connections: number, megabytes: number): Promise<Run> {
  let most = 0;
  const watch = setInterval(() => void resident(served.pid).then((now) => (most = Math.max(most, now))), 20);
  const seconds = await readAll(served, connections);
  clearInterval(watch);
  return { megabytesPerSecond: (connections * megabytes) / seconds, residentMegabytes: most };
}

/** Resident memory in megabytes, as the kernel counts it. */
async function resident(pid: number): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`).text();
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** Reads the file over so many connections, in a process of its own; resolves to the seconds it took. */
async function readAll({ url, path, authorization }: Served, connections: number): Promise<number> {
  const command = [
    process.execPath,
    import.meta.path,
    "--read",
    url,
    path,
    authorization,
    String(connections),
  ];
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "inherit" });
  const seconds = Number(await new Response(child.stdout).text());
  if ((await child.exited) !== 0 || !seconds) throw new Error("the reader failed");
  return seconds;
}

async function start(name: "--bare" | "--shop", file: string): Promise<Served> {
  const child = Bun.spawn([process.execPath, import.meta.path, name, file], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let said = "";
  while (!said.includes("\n")) {
    const { value, done } = await lines.read();
    if (done) throw new Error(`${name} did not start`);
    said += value;
  }
  const { url, path, authorization } = JSON.parse(said);
  return {
    url,
    path,
    authorization,
    pid: child.pid,
    async stop() {
      // the server ends with its input, so that none outlives this process
      await child.stdin.end();
      await child.exited;
    },
  };
}

/** The process that started this one has gone, or wants it to. */
async function untilInputEnds(): Promise<void> {
  await new Response(Bun.stdin.stream()).text();
}

function serveBare() {
  const file = process.argv[3] ?? "";
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response(Bun.file(file)) });
  console.log(JSON.stringify({ url: server.url.origin, path: "/", authorization: "none" }));
  void untilInputEnds().then(() => process.exit(0));
}

/** The whole shop with one licensed account, and the file as its current Windows build. */
async function serveShop() {
  const { openStage } = await import("../stage");
  const { publish } = await import("@/domain/releases/publish");
  const stage = await openStage({ env: { LIMITS: "download=1000000/3600,app=1000000/60" } });
  const person = stage.person();
  await person.register(await stage.handOut(), "bench");
  const key: string = (await person.get("/api/user/me")).body.data.api_key;
  const builds = [{ platform: "win_exe" as const, name: "Large.exe", file: Bun.file(process.argv[3] ?? "") }];
  await publish(
    stage.ctx,
    stage.shop.builds,
    { version: "1.0.0", channel: "latest", title: "Large", content: "", builds },
    { actor: "operator", reason: "benchmark" },
  );
  console.log(
    JSON.stringify({ url: stage.url.origin, path: "/api/download", authorization: `Bearer ${key}` }),
  );
  await untilInputEnds();
  await stage[Symbol.asyncDispose]();
  process.exit(0);
}

/** Opens the connections, asks on each, and counts what comes until each has had the whole body. */
async function read() {
  const [url = "", path = "/", authorization = "", connections = "1"] = process.argv.slice(3);
  const { hostname, port } = new URL(url);
  const request = `GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: ${authorization}\r\nConnection: close\r\n\r\n`;
  const one = () =>
    new Promise<void>((resolve, reject) => {
      let head = "";
      let left = Number.NaN;
      const failed = (why: string) => reject(new Error(why));
      void Bun.connect({
        hostname,
        port: Number(port),
        socket: {
          open: (socket) => void socket.write(request),
          data(socket, bytes) {
            if (!Number.isNaN(left)) left -= bytes.byteLength;
            else {
              const text = head + bytes.toString("latin1");
              const end = text.indexOf("\r\n\r\n");
              if (end < 0) head = text;
              else {
                if (!text.startsWith("HTTP/1.1 200")) return failed(text.slice(0, 200));
                left = Number(/content-length: (\d+)/i.exec(text)?.[1]) - (text.length - end - 4);
              }
            }
            if (left === 0) {
              resolve();
              socket.end();
            }
          },
          close: () => (left === 0 ? undefined : failed(`the connection was cut, ${left} bytes left`)),
          error: (_, error) => reject(error),
        },
      }).catch(reject);
    });
  const started = performance.now();
  await Promise.all(Array.from({ length: Number(connections) }, one));
  console.log((performance.now() - started) / 1000);
}

async function writeRandom(file: string, megabytes: number): Promise<void> {
  const writer = Bun.file(file).writer();
  for (let at = 0; at < megabytes; at += 1) {
    await writer.write(crypto.getRandomValues(new Uint8Array(65_536)));
    for (let more = 0; more < 15; more += 1) await writer.write(new Uint8Array(65_536).fill(at + more));
    await writer.flush();
  }
  await writer.end();
}
