import { z } from "zod";
import type { Happening, World } from "../world";
import { identify, identity, invalidate, resume, resumption } from "./identify";
import { closing, opcode } from "./protocol";
import { type Sessions, type Socket, openSessions, transmit } from "./sessions";

export type Gateway = {
  tell(happening: Happening): void;
  opened(socket: Socket): void;
  heard(socket: Socket, text: string): void;
  closed(socket: Socket, code: number): void;
  /** Cuts every socket. The sessions can be resumed unless they are ended too. */
  cut(how?: { code?: number | undefined; end?: boolean }): number;
  reconnect(): number;
  invalidate(): number;
  /** Closes sockets that stopped beating. */
  tick(): void;
  connected(): number;
  sessions(): number;
};

const envelope = z.object({ op: z.int(), d: z.unknown().optional() });
const sendsAMinute = 120;
/** The least time between two sessions being started. */
const identifyPauseMs = 5000;

/** The gateway, version 10 in JSON without compression. Source: Discord's page "Gateway". */
export function openGateway(world: World, heartbeatMs: number): Gateway {
  const sessions = openSessions(world);
  const sockets = new Set<Socket>();
  let lastIdentify = -identifyPauseMs;
  const mayIdentify = () => {
    const soon = world.limits.enabled && Math.abs(world.now() - lastIdentify) < identifyPauseMs;
    if (!soon) lastIdentify = world.now();
    return !soon;
  };
  return {
    tell: (happening) => sessions.tellAll(happening),
    opened(socket) {
      sockets.add(socket);
      world.tally.mostSockets = Math.max(world.tally.mostSockets, sockets.size);
      socket.data.beat = performance.now();
      const d = { heartbeat_interval: heartbeatMs, _trace: ["simulator"] };
      transmit(world, socket, JSON.stringify({ op: opcode.HELLO, d, s: null, t: null }));
    },
    heard: (socket, text) => hear(world, sessions, socket, { text, mayIdentify }),
    closed(socket, code) {
      sockets.delete(socket);
      const { session } = socket.data;
      if (!session || session.socket !== socket) return;
      session.socket = null;
      session.alone = world.now();
      if (code === 1000 || code === 1001) sessions.end(session);
    },
    cut({ code, end } = {}) {
      if (end) for (const session of sessions.all()) sessions.end(session);
      for (const socket of sockets)
        if (code === undefined) socket.terminate();
        else socket.close(code);
      return sockets.size;
    },
    reconnect() {
      const text = JSON.stringify({ op: opcode.RECONNECT, d: null, s: null, t: null });
      for (const socket of sockets) transmit(world, socket, text);
      return sockets.size;
    },
    invalidate() {
      for (const session of sessions.all()) sessions.end(session);
      for (const socket of sockets) invalidate(world, socket);
      return sockets.size;
    },
    tick() {
      sessions.prune();
      const silent = heartbeatMs * 1.5 + 5000;
      for (const socket of sockets)
        if (performance.now() - socket.data.beat > silent)
          socket.close(closing.timedOut, "Session timed out.");
    },
    connected: () => sockets.size,
    sessions: () => sessions.all().filter(({ socket }) => socket).length,
  };
}

type Heard = { text: string; mayIdentify: () => boolean };

function hear(world: World, sessions: Sessions, socket: Socket, { text, mayIdentify }: Heard) {
  if (world.faults.gateway.mute) return;
  if (talksTooMuch(world, socket)) return socket.close(closing.rateLimited, "You are being rate limited.");
  const payload = readPayload(envelope, text);
  if (!payload) return socket.close(closing.decodeError, "Error while decoding payload.");
  const { session } = socket.data;
  switch (payload.op) {
    case opcode.HEARTBEAT:
      socket.data.beat = performance.now();
      return transmit(world, socket, JSON.stringify({ op: opcode.ACK, d: null, s: null, t: null }));
    case opcode.IDENTIFY: {
      if (session) return socket.close(closing.alreadyAuthenticated, "Already authenticated.");
      const said = identity.safeParse(payload.d);
      if (!said.success) return socket.close(closing.decodeError, "Error while decoding payload.");
      world.tally.identifiedAt.push(world.now());
      if (!mayIdentify()) return invalidate(world, socket);
      return identify(world, sessions, socket, said.data);
    }
    case opcode.RESUME: {
      if (session) return socket.close(closing.alreadyAuthenticated, "Already authenticated.");
      const said = resumption.safeParse(payload.d);
      if (!said.success) return socket.close(closing.decodeError, "Error while decoding payload.");
      return resume(world, sessions, socket, said.data);
    }
    case opcode.PRESENCE:
      return session ? undefined : socket.close(closing.notAuthenticated, "Not authenticated.");
    default:
      return socket.close(closing.unknownOpcode, "Unknown opcode.");
  }
}

function talksTooMuch(world: World, { data }: Socket): boolean {
  const now = world.now();
  data.sent = [...data.sent.filter((time) => time > now - 60_000), now];
  return world.limits.enabled && data.sent.length > sendsAMinute;
}

function readPayload<T>(shape: z.ZodType<T>, text: string): T | null {
  try {
    return shape.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
