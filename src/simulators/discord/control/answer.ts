import { once } from "node:events";
import type { Interaction } from "../rows";
import { messageJson } from "../wire/messages";
import type { World } from "../world";

/** The bot's answer, as the person who asked sees it. */
export type Answer = {
  interaction: string;
  /** Null: "The application did not respond". */
  acknowledged: Interaction["acknowledged"];
  /** Whether a deferred answer is still missing. */
  thinking: boolean;
  ephemeral: boolean;
  content: string | null;
  messages: object[];
  /** The form in the answer; `interact/modal` fills it in. */
  modal: object | null;
};

function answerOf(world: World, id: string): Answer {
  const found = world.store.interactions.get(id);
  if (!found) throw new Error(`no interaction ${id}`);
  const sent = found.messages.flatMap((one) => world.store.messages.get(one) ?? []);
  const [first] = sent;
  return {
    interaction: id,
    acknowledged: found.acknowledged,
    thinking: found.thinking,
    ephemeral: first !== undefined && first.visible_to !== null,
    content: first?.content ?? null,
    messages: sent.map((one) => messageJson(world, one)),
    modal: found.modal,
  };
}

export type WaitOptions = {
  /** `ack` waits for the first answer only, `answer` for a deferred one too. */
  until: "ack" | "answer";
  timeout_ms: number;
};
const acknowledgeMs = 3100;

/** Waits for the bot: three seconds until it acknowledges, then `timeout_ms`. */
export async function awaitAnswer(world: World, id: string, wanted: WaitOptions): Promise<Answer> {
  const { timeout_ms } = wanted;
  const began = performance.now();
  const remainingMs = () => {
    const acknowledged = world.store.interactions.get(id)?.acknowledged ?? null;
    const allowed = acknowledged === null ? Math.min(acknowledgeMs, timeout_ms) : timeout_ms;
    return allowed - (performance.now() - began);
  };
  while (!isSettled(world, id, wanted) && remainingMs() > 0) await nextChange(world, remainingMs());
  return answerOf(world, id);
}

function isSettled(world: World, id: string, { until }: WaitOptions): boolean {
  const found = world.store.interactions.get(id);
  if (!found || found.acknowledged === null) return false;
  return until === "ack" || !found.thinking;
}

/** Waits for a change, for at most `withinMs` milliseconds. */
export async function nextChange({ changed }: World, withinMs: number): Promise<void> {
  const signal = AbortSignal.timeout(Math.max(1, Math.ceil(withinMs)));
  await once(changed, "change", { signal }).catch(() => {});
}
