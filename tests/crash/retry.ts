import { hour } from "@/contract/time";
import type { Answer } from "../support/people/person";
import type { World } from "./processes";

/** A failure that a buyer must never see, such as a 500. */
export type Complaints = string[];

/** 502: Stripe is unreachable; 503: the shop is starting or Discord is unreachable; 429: too many attempts. */
const excusable = [429, 502, 503];

/** More than two thousand deaths in a row take on a slow machine, most of them before anything is answered. */
const longestMilliseconds = 3 * hour;
const longestPauseMilliseconds = 1_000;

/** One request; null if the shop died meanwhile or could not serve it just then. */
export async function ask(
  act: () => Promise<Answer>,
  { what, complaints, fine }: { what: string; complaints: Complaints; fine: number[] },
): Promise<Answer | null> {
  const answer = await Promise.race([act().catch(() => null), Bun.sleep(15_000).then(() => null)]);
  if (answer === null || fine.includes(answer.status)) return answer;
  if (!excusable.includes(answer.status)) {
    complaints.push(`${what}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
  // as the answer asks
  if (answer.status === 429) await Bun.sleep(2_000);
  return null;
}

/** Retries until it succeeds; throws once the story is over, or after a very long time. */
export async function untilDone<T>(
  { over }: Pick<World, "over">,
  what: string,
  attempt: () => Promise<T | null>,
): Promise<T> {
  const deadline = performance.now() + longestMilliseconds;
  for (
    let pause = 60;
    performance.now() < deadline;
    pause = Math.min(pause * 1.1, longestPauseMilliseconds)
  ) {
    over.throwIfAborted();
    const done = await attempt();
    if (done !== null) return done;
    await Bun.sleep(pause);
  }
  throw new Error(`never succeeded: ${what}`);
}
