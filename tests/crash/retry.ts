import type { Answer } from "../person";

/** What a buyer met that no buyer should meet, such as a 500. */
export type Complaints = string[];

/** 502 is Stripe away, 503 the shop on its way up or Discord away, 429 somebody who tried too often. */
const excusable = [429, 502, 503];

/** Longer than a row of two thousand deaths on a slow machine, most of which come before anything is answered. */
const longestMilliseconds = 3 * 60 * 60_000;
const longestPauseMilliseconds = 1_000;

/** One request of somebody patient: null where the shop died under it or could not help just then. */
export async function ask(
  act: () => Promise<Answer>,
  { what, complaints, fine }: { what: string; complaints: Complaints; fine: number[] },
): Promise<Answer | null> {
  const answer = await Promise.race([act().catch(() => null), Bun.sleep(15_000).then(() => null)]);
  if (answer === null || fine.includes(answer.status)) return answer;
  if (!excusable.includes(answer.status)) {
    complaints.push(`${what}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
  // nobody who was told to wait comes back at once
  if (answer.status === 429) await Bun.sleep(2_000);
  return null;
}

/** Tries until it is done, as somebody does who wants it; after so long nobody does any more. */
export async function untilDone<T>(what: string, attempt: () => Promise<T | null>): Promise<T> {
  const deadline = performance.now() + longestMilliseconds;
  for (
    let pause = 60;
    performance.now() < deadline;
    pause = Math.min(pause * 1.1, longestPauseMilliseconds)
  ) {
    const done = await attempt();
    if (done !== null) return done;
    await Bun.sleep(pause);
  }
  throw new Error(`never done: ${what}`);
}
