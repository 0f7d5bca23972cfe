/**
 * `bun tests/bench/gateway.ts [MINUTES]`: what a gateway that closes, stalls and sends garbage by turns does
 * to the shop: how slow it gets, how its memory grows and how often the bot identifies.
 */
import { botIsUp } from "../community";
import { openStage } from "../stage";

const [minutes = 10] = process.argv.slice(2).map(Number);
const turns = ["away", "mute", "garbage", null] as const;

await using stage = await openStage({ discord: true });
await botIsUp(stage);
const person = stage.person();
const calm = await measure(10_000);
const memory: number[] = [];
const times: number[] = [];
const end = performance.now() + minutes * 60_000;
for (let turn = 0; performance.now() < end; turn += 1) {
  const fault = turns[turn % turns.length];
  const all = { away: false, mute: false, garbage: false };
  await stage.atDiscord("faults", { gateway: fault ? { ...all, [fault]: true } : all });
  if (fault !== "mute") await stage.atDiscord("gateway", { do: "cut", ...(turn % 3 ? {} : { end: true }) });
  times.push(...(await measure(7_000)));
  Bun.gc(true);
  memory.push(process.memoryUsage.rss() / 1e6);
}
const { identifies, resumes } = await stage.atDiscord("tally");
const third = Math.floor(memory.length / 3);
const mean = (part: number[]) => part.reduce((sum, one) => sum + one, 0) / part.length;
console.log(
  `${minutes} minutes of a broken gateway: p99 ${p99(calm).toFixed(1)} → ${p99(times).toFixed(1)} ms, ` +
    `memory ${mean(memory.slice(third, 2 * third)).toFixed(0)} → ${mean(memory.slice(-third)).toFixed(0)} MB ` +
    `(second to last third), ${identifies} identifies, ${resumes} resumes`,
);

async function measure(milliseconds: number): Promise<number[]> {
  const seen: number[] = [];
  const until = performance.now() + milliseconds;
  while (performance.now() < until) {
    const began = performance.now();
    await person.get("/api/health");
    seen.push(performance.now() - began);
    await Bun.sleep(5);
  }
  return seen;
}

function p99(all: number[]): number {
  return all.toSorted((a, b) => a - b)[Math.floor(all.length * 0.99)] ?? 0;
}
