import { connect } from "node:net";

/** A request as bytes, so that it can be malformed in every way that a client library would correct. */
export type WireCall = {
  method: string;
  /** The whole request target, query included, written as it is. */
  target: string;
  headers: [name: string, value: string][];
  body: Uint8Array | undefined;
};

export type Answered = { status: number; headers: Headers; body: string };

/** Sends one request on a new connection; resolves to null when the server closes it without an answer. */
export function askRaw(url: URL, asked: WireCall): Promise<Answered | null> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    const socket = connect(Number(url.port), url.hostname);
    const end = () => resolve(parse(Buffer.concat(pieces)));
    socket.setTimeout(20_000, () => {
      socket.destroy();
      reject(new Error(`no answer to ${asked.method} ${asked.target.slice(0, 200)}`));
    });
    socket.on("data", (piece: Buffer) => pieces.push(piece));
    socket.on("close", end);
    // a server that refuses may close while we still send
    socket.on("error", end);
    socket.write(toBytes(url, asked));
  });
}

function toBytes(url: URL, { method, target, headers, body }: WireCall): Buffer {
  const named = new Set(headers.map(([name]) => name.toLowerCase()));
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...(named.has("host") ? [] : [`host: ${url.host}`]),
    "connection: close",
    ...(body ? [`content-length: ${body.length}`] : []),
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), body ?? Buffer.alloc(0)]);
}

function parse(bytes: Buffer): Answered | null {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const [first = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const status = Number(first.split(" ")[1]);
  const rest = bytes.subarray(end + 4);
  if (status === 100) return parse(rest);
  const headers = new Headers(lines.map((line) => line.split(/: ?(.*)/s).slice(0, 2) as [string, string]));
  const body = headers.get("transfer-encoding") === "chunked" ? unchunked(rest) : rest;
  return { status, headers, body: body.toString("utf8") };
}

/** RFC 9112 §7.1. */
function unchunked(bytes: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const line = bytes.indexOf("\r\n", at);
    const size = Number.parseInt(bytes.toString("latin1", at, line), 16);
    if (line < 0 || !(size > 0)) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
}
