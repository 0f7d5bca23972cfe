import { z } from "zod";
import { enabledIntents } from "../wire/messages";
import { isoNow, type World } from "../world";
import { type Socket, closing, opcode } from "./connection";
import { greet } from "./greeting";
import { type PrivilegedIntent, privileged } from "./intents";
import { type Sessions, transmit } from "./sessions";

export const identity = z.object({
  token: z.string(),
  intents: z.int().nonnegative(),
  properties: z.looseObject({}),
  shard: z.tuple([z.int(), z.int()]).optional(),
});
export const resumption = z.object({ token: z.string(), session_id: z.string(), seq: z.int() });

/** Sessions that may be begun in a day; one more, and Discord resets the bot's token. */
const identifiesADay = 1000;
const dayMs = 86_400_000;

export function identify(world: World, sessions: Sessions, socket: Socket, said: z.infer<typeof identity>) {
  if (said.token !== world.secrets.botToken)
    return socket.close(closing.authenticationFailed, "Authentication failed.");
  const [shard = 0, shards = 1] = said.shard ?? [];
  if (shard >= shards || shard !== 0) return socket.close(closing.invalidShard, "Invalid shard.");
  if (said.intents >= 1 << 30) return socket.close(closing.invalidIntents, "Invalid intent(s).");
  if (asksTooMuch(world, said.intents))
    return socket.close(closing.disallowedIntents, "Disallowed intent(s).");
  if (!countIdentify(world)) return socket.close(closing.authenticationFailed, "Authentication failed.");
  world.tally.identifies += 1;
  socket.data.session = sessions.begin(said.intents, socket);
  greet(world, sessions, socket.data.session);
}

/** Takes a session up again and tells what it missed. */
export function resume(world: World, sessions: Sessions, socket: Socket, said: z.infer<typeof resumption>) {
  if (said.token !== world.secrets.botToken)
    return socket.close(closing.authenticationFailed, "Authentication failed.");
  const session = sessions.find(said.session_id);
  const oldest = session?.told[0]?.sequence ?? 1;
  if (!session || said.seq < oldest - 1) return invalidate(world, socket, false);
  if (said.seq > session.sequence) return socket.close(closing.invalidSequence, "Invalid seq.");
  world.tally.resumes += 1;
  session.socket?.close(4000, "Session was resumed elsewhere.");
  session.socket = null;
  socket.data.session = session;
  for (const { sequence, text } of session.told) if (sequence > said.seq) transmit(world, socket, text);
  session.socket = socket;
  sessions.tell(session, "RESUMED", {});
}

export function invalidate(world: World, socket: Socket, resumable: boolean) {
  transmit(world, socket, JSON.stringify({ op: opcode.INVALID_SESSION, d: resumable, s: null, t: null }));
}

/** How many sessions may still be begun, as `/gateway/bot` tells it. */
export function sessionBudget(world: World) {
  const { began, used } = today(world);
  return {
    total: identifiesADay,
    remaining: Math.max(0, identifiesADay - used),
    reset_after: Math.max(0, began + dayMs - world.now()),
    max_concurrency: 1,
  };
}

function today(world: World): { began: number; used: number } {
  const began = Number(world.store.setting("identifies_since") ?? 0);
  const over = world.now() - began >= dayMs;
  return over
    ? { began: world.now(), used: 0 }
    : { began, used: Number(world.store.setting("identifies") ?? 0) };
}

/** False when there were too many: then the token is dead from now on, as with Discord. */
function countIdentify(world: World): boolean {
  const { began, used } = today(world);
  world.store.keep("identifies_since", String(began));
  world.store.keep("identifies", String(used + 1));
  if (used < identifiesADay) return true;
  world.secrets.botToken = `${world.secrets.botToken.split(".")[0]}.${world.ids.secret(38)}`;
  world.store.keep("bot_token", world.secrets.botToken);
  world.store.keep("token_reset_at", isoNow(world));
  return false;
}

function asksTooMuch(world: World, intents: number): boolean {
  const enabled = enabledIntents(world);
  return (Object.keys(privileged) as PrivilegedIntent[]).some(
    (name) => (intents & privileged[name]) !== 0 && !enabled.includes(name),
  );
}
