import { can } from "../guild/standing";
import type { Happening, World } from "../world";
import { type Socket, opcode } from "./connection";

/** A bot's session: it outlives its sockets, so that what was missed can be told again. */
export type Session = {
  id: string;
  intents: number;
  sequence: number;
  /** What was told, newest last, as it was sent. */
  told: { sequence: number; text: string }[];
  letters: number;
  socket: Socket | null;
  /** Unix milliseconds since when it has no socket. */
  alone: number;
  /** When all members were last asked for. */
  askedAll: number;
};

export type Sessions = {
  begin(intents: number, socket: Socket): Session;
  find(id: string): Session | undefined;
  end(session: Session): void;
  all(): Session[];
  /** Lets go of those whose bots stayed away too long. */
  prune(): void;
  /** Sends one event to one session, and keeps it for a replay. */
  tell(session: Session, name: string, data: object): void;
  tellAll(happening: Happening): void;
};

const kept = { events: 5000, letters: 32_000_000 };
/** A session waits so long for its bot to come back. */
const patienceMs = 180_000;

export function openSessions(world: World): Sessions {
  const sessions = new Map<string, Session>();
  const tell = (session: Session, name: string, data: object) => {
    session.sequence += 1;
    const text = JSON.stringify({ op: opcode.DISPATCH, t: name, s: session.sequence, d: data });
    remember(session, text);
    if (session.socket) transmit(world, session.socket, text);
  };
  return {
    begin(intents, socket) {
      const id = world.ids.secret(32).toLowerCase();
      const session: Session = {
        id,
        intents,
        sequence: 0,
        told: [],
        letters: 0,
        socket,
        alone: 0,
        askedAll: 0,
      };
      sessions.set(id, session);
      return session;
    },
    find(id) {
      const session = sessions.get(id);
      if (session && !session.socket && world.now() - session.alone > patienceMs) sessions.delete(id);
      return sessions.get(id);
    },
    end: (session) => void sessions.delete(session.id),
    all: () => [...sessions.values()],
    prune() {
      for (const session of sessions.values())
        if (!session.socket && world.now() - session.alone > patienceMs) sessions.delete(session.id);
    },
    tell,
    tellAll({ name, data, intents, channel }) {
      for (const session of sessions.values()) {
        if (intents !== 0 && (session.intents & intents) === 0) continue;
        if (channel !== undefined && !botSees(world, channel)) continue;
        tell(session, name, data);
      }
    },
  };
}

function remember(session: Session, text: string) {
  session.told.push({ sequence: session.sequence, text });
  session.letters += text.length;
  while (session.told.length > kept.events || session.letters > kept.letters)
    session.letters -= session.told.shift()?.text.length ?? 0;
}

/** Sends as the faults allow: not at all, or something that can't be read. */
export function transmit({ faults }: World, socket: Socket, text: string) {
  if (faults.gateway.mute) return;
  socket.send(faults.gateway.garbage ? `\u0000${text.slice(0, 16)}` : text);
}

function botSees(world: World, id: string): boolean {
  const channel = world.store.channels.get(id);
  return channel !== undefined && can(world, world.known.botId, "VIEW_CHANNEL", channel);
}
