import type { Interaction } from "../store/rows";
import { messageJson } from "../wire/messages";
import type { World } from "../world";

/** What the bot answered, as the one who asked sees it. */
export type Answer = {
  interaction: string;
  /** `null`: "The application did not respond". */
  acknowledged: Interaction["acknowledged"];
  /** Milliseconds until the first answer. */
  after_ms: number | null;
  /** A deferred answer that has not come yet. */
  thinking: boolean;
  ephemeral: boolean;
  content: string | null;
  original: object | null;
  /** Everything said or changed in answer and still there, the first answer first. */
  messages: object[];
  /** The form that was shown; to be filled in by `interact/modal`. */
  modal: object | null;
  choices: object[] | null;
};

export function answerOf(world: World, id: string): Answer | undefined {
  const found = world.store.interactions.get(id);
  if (!found) return undefined;
  const said = found.messages.flatMap((one) => world.store.messages.get(one) ?? []);
  const original = world.store.messages.get(found.original ?? "") ?? null;
  const first = said[0] ?? original;
  return {
    interaction: id,
    acknowledged: found.acknowledged,
    after_ms: found.acknowledged_at === null ? null : found.acknowledged_at - found.created,
    thinking: found.thinking,
    ephemeral: first !== null && first.visible_to !== null,
    content: first?.content ?? null,
    original: original && messageJson(world, original),
    messages: said.map((one) => messageJson(world, one)),
    modal: found.modal,
    choices: found.choices,
  };
}

export type Patience = {
  /** `ack`: only the first sign of life. `answer`: a deferred answer too. */
  until: "ack" | "answer";
  /** Waits for so many messages at least. */
  messages: number;
  timeout_ms: number;
};
const acknowledgeMs = 3100;

/** Waits for the bot; it has three seconds to acknowledge, and then as long as `timeout_ms`. */
export async function awaitAnswer(world: World, id: string, wanted: Patience): Promise<Answer> {
  const { timeout_ms } = wanted;
  const began = performance.now();
  const patience = () => {
    const acknowledged = world.store.interactions.get(id)?.acknowledged ?? null;
    return (
      (acknowledged === null ? Math.min(acknowledgeMs, timeout_ms) : timeout_ms) - (performance.now() - began)
    );
  };
  while (!isSettled(world, id, wanted) && patience() > 0) await nextChange(world, patience());
  const answer = answerOf(world, id);
  if (!answer) throw new Error(`no interaction ${id}`);
  return answer;
}

function isSettled(world: World, id: string, { until, messages }: Patience): boolean {
  const found = world.store.interactions.get(id);
  if (!found || found.acknowledged === null) return false;
  if (found.messages.length < messages) return false;
  if (until === "ack") return true;
  if (found.acknowledged === "deferred_update") return found.edits > 0;
  return !found.thinking || !world.store.messages.has(found.original ?? "");
}

/** Until something changes, or so many milliseconds have passed. */
export function nextChange(world: World, withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stop();
      clearTimeout(timer);
      resolve();
    };
    const stop = world.changed.watch(done);
    const timer = setTimeout(done, Math.max(1, withinMs));
  });
}
