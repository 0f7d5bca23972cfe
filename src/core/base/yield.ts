/**
 * Lets what waits in this process go first, such as requests. Local queries and other long work are synchronous:
 * between two pieces of it, others get their turn.
 */
export const yieldToEventLoop = () => new Promise<void>((resolve) => void setImmediate(resolve));

/**
 * What one piece of background work may take of the process's time, such as forgetting old rows after a start. At a
 * quarter, two of them at once left requests 65 % of their speed.
 */
const shareOfBackgroundWork = 1 / 10;

/** Does a small piece of background work, then rests until it has taken no more than its share of the time. */
export async function atBackgroundPace<Result>(work: () => Promise<Result>): Promise<Result> {
  const began = performance.now();
  const result = await work();
  await Bun.sleep((performance.now() - began) * (1 / shareOfBackgroundWork - 1));
  return result;
}
