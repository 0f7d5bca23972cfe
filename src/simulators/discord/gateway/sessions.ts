import { can } from "../guild/permissions";
import type { GatewayEvent, World } from "../world";
import { opcode } from "./protocol";

/** The gateway's state of one socket. */
export type Connection = {
  session: Session | null;
};

/** The parts of a socket that the gateway uses. */
export type Socket = {
  data: Connection;
  send(text: string): void;
  close(code: number, reason?: string): void;
  terminate(): void;
};

/** A bot's session. It outlives its sockets, so that the gateway can resend missed events. */
export type Session = {
  id: string;
  intents: number;
  sequence: number;
  /** The events as sent, newest last. */
  sent: { sequence: number; text: string }[];
  socket: Socket | null;
  /** When it lost its socket, in Unix milliseconds. */
  alone: number;
};

export type Sessions = {
  begin(intents: number, socket: Socket): Session;
  find(id: string): Session | undefined;
  end(session: Session): void;
  all(): Session[];
  /** Sends one event to one session, and keeps it for a replay. */
  dispatch(session: Session, name: string, data: object): void;
  dispatchToAll(happening: GatewayEvent): void;
};

const eventsKept = 5000;
/** How long a session without a socket can be resumed. */
const resumeWindowMs = 180_000;

export function openSessions(world: World): Sessions {
  const sessions = new Map<string, Session>();
  const dispatch = (session: Session, name: string, data: object) => {
    session.sequence += 1;
    const text = JSON.stringify({ op: opcode.DISPATCH, t: name, s: session.sequence, d: data });
    session.sent.push({ sequence: session.sequence, text });
    if (session.sent.length > eventsKept) session.sent.shift();
    if (session.socket) transmit(world, session.socket, text);
  };
  /** Ends sessions whose bots stayed away too long. */
  const prune = () => {
    for (const session of sessions.values())
      if (!session.socket && world.now() - session.alone > resumeWindowMs) sessions.delete(session.id);
  };
  return {
    begin(intents, socket) {
      prune();
      const id = world.ids.secret(32).toLowerCase();
      const session: Session = { id, intents, sequence: 0, sent: [], socket, alone: 0 };
      sessions.set(id, session);
      return session;
    },
    find(id) {
      prune();
      return sessions.get(id);
    },
    end: (session) => void sessions.delete(session.id),
    all: () => [...sessions.values()],
    dispatch,
    dispatchToAll({ name, data, intents, channel }) {
      for (const session of sessions.values()) {
        if (intents !== 0 && (session.intents & intents) === 0) continue;
        if (channel !== undefined && !botSees(world, channel)) continue;
        dispatch(session, name, data);
      }
    },
  };
}

/** Sends as the faults allow: the text, nothing, or text that can't be parsed. */
export function transmit({ faults }: World, socket: Socket, text: string) {
  if (faults.gateway.mute) return;
  socket.send(faults.gateway.garbage ? `\u0000${text.slice(0, 16)}` : text);
}

function botSees(world: World, id: string): boolean {
  const channel = world.store.channels.get(id);
  return channel !== undefined && can(world, world.known.botId, "VIEW_CHANNEL", channel);
}
