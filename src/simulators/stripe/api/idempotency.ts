import type { Reply } from "../ledger/rows";
import type { World } from "../world";
import { StripeRefusal } from "./errors";

const day = 24 * 60 * 60 * 1000;

/** The answer once given under this key, if it still holds. Another request under the same key is refused. */
export function earlierReply(world: World, key: string, fingerprint: string): Reply | undefined {
  const reply = world.ledger.replies.get(key);
  if (reply === undefined || world.now() - reply.at > day) return undefined;
  if (reply.fingerprint === fingerprint) return reply;
  throw new StripeRefusal(400, {
    type: "idempotency_error",
    message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
  });
}

export function keepReply(world: World, reply: Omit<Reply, "at">) {
  world.ledger.put("replies", { ...reply, at: world.now() });
}

/** What must be equal for two requests to be the same one. */
export function fingerprintOf(method: string, path: string, body: string): string {
  return Bun.hash(`${method} ${path}\n${body}`).toString(16);
}
