/**
 * Requests one URL as fast as it answers, over a fixed number of kept-alive connections, and prints what it saw:
 *
 *     bun tests/bench/load.ts URL SECONDS CONNECTIONS [HEADER [BODY]]
 *
 * HEADER is one line, such as `cookie: session=…`; with a BODY, which is JSON, the request is a POST.
 *
 * It uses bare sockets, because an HTTP client would cost more than the servers that it measures. All answers of
 * one URL have the same length, which the first answer tells.
 */
export type Load = { perSecond: number; p50: number; p99: number };

const mostLatencies = 2_000_000;

async function load(url: URL, ask: string, seconds: number, connections: number): Promise<Load> {
  const size = await sizeOfAnswer(url, ask);
  const latencies = new Float32Array(mostLatencies);
  let answered = 0;
  let over = false;
  const socket = await Promise.all(
    Array.from({ length: connections }, () => {
      let seen = 0;
      let asked = 0;
      const next = (socket: Bun.Socket) => {
        asked = performance.now();
        socket.write(ask);
      };
      return Bun.connect({
        hostname: url.hostname,
        port: Number(url.port),
        socket: {
          open: next,
          data(socket, bytes) {
            if (seen === 0 && bytes.toString("latin1", 0, 12) !== "HTTP/1.1 200") fail(bytes.toString());
            seen += bytes.length;
            if (seen < size) return;
            if (seen > size) fail(`${seen} bytes instead of ${size}`);
            seen = 0;
            if (over) return;
            latencies[answered % mostLatencies] = performance.now() - asked;
            answered += 1;
            next(socket);
          },
        },
      });
    }),
  );
  const started = performance.now();
  await Bun.sleep(seconds * 1000);
  over = true;
  const took = (performance.now() - started) / 1000;
  for (const each of socket) each.end();
  const sorted = latencies.slice(0, Math.min(answered, mostLatencies)).toSorted();
  const at = (share: number) => Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 100) / 100;
  return { perSecond: Math.round(answered / took), p50: at(0.5), p99: at(0.99) };
}

/** The total length of one answer, head and body. */
async function sizeOfAnswer(url: URL, ask: string): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  let text = "";
  const socket = await Bun.connect({
    hostname: url.hostname,
    port: Number(url.port),
    socket: {
      open: (socket) => void socket.write(ask),
      data(_, bytes) {
        text += bytes.toString("latin1");
        const head = text.indexOf("\r\n\r\n") + 4;
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1]);
        if (head > 3 && text.length >= head + length) resolve(head + length);
      },
    },
  });
  const size = await promise;
  socket.end();
  return size;
}

function request({ host, pathname }: URL, header: string, body: string): string {
  const head = [`host: ${host}`, "accept: */*", ...(header ? [header] : [])];
  if (body) head.push("content-type: application/json", `content-length: ${Buffer.byteLength(body)}`);
  return `${body ? "POST" : "GET"} ${pathname} HTTP/1.1\r\n${head.join("\r\n")}\r\n\r\n${body}`;
}

function fail(why: string): never {
  console.error(why.slice(0, 500));
  process.exit(1);
}

if (import.meta.main) {
  const [address = "", seconds, connections, header = "", body = ""] = process.argv.slice(2);
  const url = new URL(address);
  const ask = request(url, header, body);
  console.log(JSON.stringify(await load(url, ask, Number(seconds), Number(connections))));
  process.exit(0);
}
