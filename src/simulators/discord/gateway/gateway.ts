import { z } from "zod";
import { parseJson } from "../../base/json";
import type { GatewayEvent, World } from "../world";
import { identify, identity, invalidate, resume, resumption } from "./identify";
import { closing, opcode } from "./protocol";
import { type Sessions, type Socket, openSessions, transmit } from "./sessions";

export type Gateway = {
  dispatch(happening: GatewayEvent): void;
  opened(socket: Socket): void;
  receive(socket: Socket, text: string): void;
  closed(socket: Socket, code: number): void;
  /** Cuts every socket. The bot can resume the sessions unless `end` ends them too. */
  cut(how?: { code?: number | undefined; end?: boolean }): number;
  invalidate(): number;
  connected(): number;
  sessions(): number;
};

const payload = z.discriminatedUnion("op", [
  z.object({ op: z.literal(opcode.HEARTBEAT) }),
  z.object({ op: z.literal(opcode.IDENTIFY), d: identity }),
  z.object({ op: z.literal(opcode.RESUME), d: resumption }),
]);
/** The shortest time between the starts of two sessions. */
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
    dispatch: (happening) => sessions.dispatchToAll(happening),
    opened(socket) {
      sockets.add(socket);
      world.tally.mostSockets = Math.max(world.tally.mostSockets, sockets.size);
      const d = { heartbeat_interval: heartbeatMs, _trace: ["simulator"] };
      transmit(world, socket, JSON.stringify({ op: opcode.HELLO, d, s: null, t: null }));
    },
    receive: (socket, text) => hear(world, sessions, socket, { text, mayIdentify }),
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
    invalidate() {
      for (const session of sessions.all()) sessions.end(session);
      for (const socket of sockets) invalidate(world, socket);
      return sockets.size;
    },
    connected: () => sockets.size,
    sessions: () => sessions.all().filter(({ socket }) => socket).length,
  };
}

type Heard = { text: string; mayIdentify: () => boolean };

function hear(world: World, sessions: Sessions, socket: Socket, { text, mayIdentify }: Heard) {
  if (world.faults.gateway.mute) return;
  const { success, data: command } = payload.safeParse(read(text));
  if (!success) return socket.close(closing.decodeError, "Error while decoding payload.");
  if (command.op === opcode.HEARTBEAT)
    return transmit(world, socket, JSON.stringify({ op: opcode.ACK, d: null, s: null, t: null }));
  if (command.op === opcode.RESUME) return resume(world, sessions, socket, command.d);
  world.tally.identifiedAt.push(world.now());
  if (!mayIdentify()) return invalidate(world, socket);
  return identify(world, sessions, socket, command.d);
}

/** The parsed payload; null for text that is not JSON, which no payload's schema accepts. */
function read(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}
