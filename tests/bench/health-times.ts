import { percentile } from "../support/checks/percentile";

/**
 * How long `/api/health` takes for a visitor who asks up to two hundred times a second while something else goes on:
 * percentiles in milliseconds, and how long it all took in seconds.
 */
export async function healthTimes(shopUrl: string, meanwhile: () => Promise<unknown>) {
  const times: number[] = [];
  let over = false;
  const began = performance.now();
  const doing = meanwhile().finally(() => (over = true));
  while (!over) {
    const asked = performance.now();
    await (await fetch(`${shopUrl}/api/health`)).arrayBuffer();
    times.push(performance.now() - asked);
    await Bun.sleep(Math.max(0, 5 - (performance.now() - asked)));
  }
  await doing;
  const [p50, p99, most] = [0.5, 0.99, 0.9999].map((share) => percentile(times, share).toFixed(1));
  return {
    p99: Number(p99),
    asked: times.length,
    seconds: (performance.now() - began) / 1000,
    sentence: `p50 ${p50} ms, p99 ${p99} ms, most ${most} ms`,
  };
}
