import { createServer as tcpServer, type Server, type Socket } from "node:net";
import { createServer as tlsServer, TLSSocket } from "node:tls";
import type { Certificate } from "./authority";

/** What a receiver of webhooks does with a connection: once the request came, or at once. */
type Behaviour = { answers?: (socket: Socket) => void; connects?: (socket: Socket) => void };

/**
 * A receiver of webhooks that says whatever a test wants, byte for byte, over TLS if it has a certificate. Knows each
 * request as text, the name that TLS was asked for, and how many connections are open.
 */
export async function receiver(does: Behaviour, tls?: Certificate, host = "127.0.0.1", port = 0) {
  const requests: { text: string; sni: string | false | null }[] = [];
  const open = new Set<Socket>();
  let connections = 0;
  const serve = (socket: Socket) => {
    let text = "";
    socket.on("error", () => {});
    does.connects?.(socket);
    socket.on("data", (piece: Buffer) => {
      const had = isWhole(text);
      text += piece.toString();
      if (had || !isWhole(text)) return;
      requests.push({
        text,
        sni: socket instanceof TLSSocket ? ((socket as { servername?: string }).servername ?? null) : null,
      });
      does.answers?.(socket);
    });
  };
  const server: Server = tls ? tlsServer(tls, serve) : tcpServer(serve);
  server.on("tlsClientError", () => {});
  server.on("connection", (socket: Socket) => {
    connections++;
    open.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    requests,
    connections: () => connections,
    open: () => open.size,
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Whether a request's head and as much of its body as it promises are there. */
function isWhole(text: string): boolean {
  const [head = "", body] = text.split("\r\n\r\n");
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
  return body !== undefined && Buffer.byteLength(body) >= length;
}

/** Writes a piece again and again as fast as the other side reads. */
export function flood(socket: Socket, piece: string | Buffer) {
  const write = () => {
    while (socket.writable && socket.write(piece));
  };
  socket.on("drain", write);
  write();
}

/** Writes a piece again and again, slowly. */
export function drip(socket: Socket, piece: string) {
  const timer = setInterval(() => socket.writable && socket.write(piece), 20);
  socket.on("close", () => clearInterval(timer));
}
