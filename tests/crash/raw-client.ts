import { connect, type Socket } from "node:net";

/**
 * The outcome of a request. `refused`: no connection. `unanswered`: the connection ended before the first byte of
 * a response. `torn`: it ended in the middle of one.
 */
export type Fate = {
  how: "answered" | "refused" | "unanswered" | "torn";
  /** Whether the connection had answered an earlier request. */
  onUsedLine: boolean;
  status: number;
  id: string;
  cookies: string[];
  // oxlint-disable-next-line typescript/no-explicit-any -- a test may read any field
  body: any;
};

export type Sent = {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
  /** The pause between the two halves of the body. */
  bodyPauseMs?: number;
  /** Over how long reading the answer is spread. */
  readForMs?: number;
};

/**
 * A client that keeps its connection open as browsers and proxies do, on bare sockets, so that it sees exactly what
 * became of each request; it never repeats one on its own.
 */
export function openConnection(port: number, headers: Record<string, string>) {
  let kept: Socket | null = null;
  return {
    async send(asked: Sent): Promise<Fate> {
      const used = kept && !kept.destroyed ? kept : null;
      const onUsedLine = used !== null;
      const socket = used ?? (await dial(port));
      kept = null;
      if (!socket) return { ...nothing, how: "refused", onUsedLine };
      const answer = read(socket, asked.readForMs ?? 0);
      await write(socket, asked, headers);
      const { fate, reusable } = await answer;
      if (reusable) kept = socket;
      else socket.destroy();
      return { ...fate, onUsedLine };
    },
    close: () => kept?.destroy(),
  };
}

const nothing: Fate = { how: "unanswered", onUsedLine: false, status: 0, id: "", cookies: [], body: null };

function dial(port: number): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(socket));
    socket.on("error", () => resolve(null));
  });
}

async function write(socket: Socket, asked: Sent, usual: Record<string, string>): Promise<void> {
  const { method = "GET", path, headers = {}, body = "", bodyPauseMs = 0 } = asked;
  const fields = { host: "127.0.0.1", ...usual, ...headers };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = method === "GET" ? "" : `content-length: ${Buffer.byteLength(body)}\r\n`;
  const half = bodyPauseMs > 0 ? Math.floor(body.length / 2) : body.length;
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join("")}${length}\r\n${body.slice(0, half)}`);
  if (bodyPauseMs === 0) return;
  await Bun.sleep(bodyPauseMs);
  if (!socket.destroyed) socket.write(body.slice(half));
}

/** Reads one answer, however slowly; also resolves if the connection ends before it is complete. */
function read(socket: Socket, readForMs: number): Promise<{ fate: Fate; reusable: boolean }> {
  return new Promise((resolve) => {
    let bytes = Buffer.alloc(0);
    const until = performance.now() + readForMs;
    const done = () => {
      socket.off("data", take);
      socket.off("close", end);
      resolve(judge(bytes));
    };
    const take = (piece: Buffer) => {
      bytes = Buffer.concat([bytes, piece]);
      if (isWhole(bytes)) return done();
      if (performance.now() >= until) return;
      socket.pause();
      setTimeout(() => socket.resume(), 20);
    };
    const end = () => done();
    socket.on("data", take);
    socket.on("close", end);
  });
}

function headOf(bytes: Buffer) {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const [first = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const headers = new Headers(lines.map((line) => line.split(/: ?(.*)/s).slice(0, 2) as [string, string]));
  return { status: Number(first.split(" ")[1]), headers, start: end + 4 };
}

function isWhole(bytes: Buffer): boolean {
  const head = headOf(bytes);
  if (!head) return false;
  const length = head.headers.get("content-length");
  if (length === null) return bytes.subarray(-7).toString("latin1").endsWith("0\r\n\r\n");
  return bytes.length - head.start >= Number(length);
}

function judge(bytes: Buffer): { fate: Fate; reusable: boolean } {
  const head = headOf(bytes);
  if (!head || !isWhole(bytes)) {
    return { fate: { ...nothing, how: bytes.length === 0 ? "unanswered" : "torn" }, reusable: false };
  }
  const { status, headers } = head;
  const isJson = headers.get("content-type")?.includes("json") && headers.get("content-length") !== null;
  const body: unknown = isJson ? JSON.parse(bytes.subarray(head.start).toString("utf8")) : null;
  const cookies = headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? "");
  const id = headers.get("x-request-id") ?? "";
  const reusable = headers.get("connection")?.toLowerCase() !== "close";
  return { fate: { ...nothing, how: "answered", status, id, cookies, body }, reusable };
}
