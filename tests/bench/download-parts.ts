import { operator } from "@/core/actor";
/**
 * The processes of the downloads' benchmark:
 *
 *     bun tests/bench/download-parts.ts bare FILE | shop FILE | read URL PATH AUTHORIZATION CONNECTIONS
 */
const roles: Record<string, () => void | Promise<void>> = { bare: serveBare, shop: serveShop, read };
await roles[process.argv[2] ?? ""]?.();

/** The process that started this one has ended, or wants this one to. */
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
  const { openStage } = await import("../support/shop/stage");
  const { publish } = await import("@/domain/releases/publish");
  const stage = await openStage({ env: { LIMITS: "download=1000000/3600,app=1000000/60,other=1000000/60" } });
  const person = stage.person();
  await person.register(await stage.handOut(), "bench");
  const key: string = (await person.get("/api/user/me")).body.data.api_key;
  const builds = [{ platform: "win_exe" as const, name: "Large.exe", file: Bun.file(process.argv[3] ?? "") }];
  await publish(
    stage.ctx,
    stage.shop.builds,
    { version: "1.0.0", channel: "latest", title: "Large", content: "", builds },
    { actor: operator, reason: "benchmark" },
  );
  console.log(
    JSON.stringify({ url: stage.url.origin, path: "/api/download", authorization: `Bearer ${key}` }),
  );
  await untilInputEnds();
  await stage[Symbol.asyncDispose]();
  process.exit(0);
}

/** Opens the connections, sends a request on each, and reads until each has the whole body. */
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
