/**
 * `bun tests/bench/gateway.ts [MINUTES]`: what a gateway that alternately closes, stalls and sends garbage does to
 * the shop. Two shops run side by side, one with a calm gateway and one with a broken one, and get the same requests
 * in turn: how slow each gets, how its memory grows and how often its bot identifies. Exits with 1 if the broken
 * one's p99 is more than half as high again, its memory grew by more than a tenth from the second third to the last
 * and by more than the calm one's, or it identified more than fifty times an hour.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { minute } from "@/contract/time";
import { startShopProcess, startWorld } from "../crash/processes";
import { percentile } from "../support/checks/percentile";

const [minutes = 10] = process.argv.slice(2).map(Number);
const pages = ["/api/health", "/"];
const turns = ["away", "mute", "garbage", null] as const;
const turnMilliseconds = 7_000;

const folder = await mkdtemp(join(tmpdir(), "latchkey-gateway-"));
const [calm, broken] = [await open("calm"), await open("broken")];
for (const one of [calm, broken]) await one.isUp();
const end = performance.now() + minutes * minute;
for (let turn = 0; performance.now() < end; turn += 1) {
  const fault = turns[turn % turns.length];
  const all = { away: false, mute: false, garbage: false };
  await broken.world.atDiscord("faults", { gateway: fault ? { ...all, [fault]: true } : all });
  const cut = { do: "cut", ...(turn % 3 ? {} : { end: true }) };
  if (fault !== "mute") await broken.world.atDiscord("gateway", cut);
  const until = performance.now() + turnMilliseconds;
  for (let asked = 0; performance.now() < until; asked += 1) {
    const page = pages[asked % pages.length] ?? "/";
    // which one goes first alternates too
    for (const one of asked % 2 ? [calm, broken] : [broken, calm]) await one.ask(page);
    await Bun.sleep(5);
  }
  for (const one of [calm, broken]) await one.weigh();
}

const figures = await Promise.all([calm, broken].map((one) => one.figures()));
const [quiet, loud] = figures;
if (!quiet || !loud) throw new Error("there are two shops to compare");
const identifiesAnHour = loud.identifies / Math.max(minutes / 60, 1);
console.log(
  `${minutes} minutes, ${quiet.asked} requests each; calm → broken gateway:\n` +
    `p50 ${quiet.p50.toFixed(2)} → ${loud.p50.toFixed(2)} ms, p99 ${quiet.p99.toFixed(1)} → ${loud.p99.toFixed(1)} ms ` +
    `(${(loud.p99 / quiet.p99).toFixed(2)} times)\n` +
    `memory, second to last third: ${megabytes(quiet.memory)}, ${megabytes(loud.memory)}\n` +
    `identifies ${quiet.identifies} → ${loud.identifies}, resumes ${quiet.resumes} → ${loud.resumes}`,
);
const grewBy = ([from, to]: [number, number]) => to / from;
const isKept =
  loud.p99 <= quiet.p99 * 1.5 &&
  grewBy(loud.memory) <= Math.max(1.1, grewBy(quiet.memory)) &&
  identifiesAnHour <= 50;
for (const one of [calm, broken]) await one.close();
await rm(folder, { recursive: true, force: true });
process.exit(isKept ? 0 : 1);

async function open(name: string) {
  const world = await startWorld(join(folder, name), { discord: true });
  const shop = await startShopProcess(world);
  const times: number[] = [];
  const memory: number[] = [];
  return {
    world,
    async isUp() {
      const identifies = async () => ((await world.atDiscord("tally")) as { identifies: number }).identifies;
      while ((await identifies()) === 0) await Bun.sleep(50);
    },
    async ask(page: string) {
      const began = performance.now();
      const answer = await fetch(`${world.shopUrl}${page}`);
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`${page}: ${answer.status}`);
      times.push(performance.now() - began);
    },
    /** Resident, in megabytes. */
    async weigh() {
      const status = await Bun.file(`/proc/${shop.child.pid}/status`).text();
      memory.push(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
    },
    async figures() {
      const { identifies, resumes } = (await world.atDiscord("tally")) as Record<
        "identifies" | "resumes",
        number
      >;
      const at = (share: number) => percentile(times, share);
      const third = Math.floor(memory.length / 3);
      const thirds: [number, number] = [mean(memory.slice(third, 2 * third)), mean(memory.slice(-third))];
      return { asked: times.length, p50: at(0.5), p99: at(0.99), memory: thirds, identifies, resumes };
    },
    async close() {
      await shop.kill("SIGTERM");
      await world.stop();
    },
  };
}

function mean(part: number[]): number {
  return part.reduce((sum, one) => sum + one, 0) / part.length;
}

function megabytes([from, to]: [number, number]): string {
  return `${from.toFixed(0)} → ${to.toFixed(0)} MB`;
}
