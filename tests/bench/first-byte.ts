/**
 * `bun tests/bench/first-byte.ts`: the time to the first byte of the landing page over 200 connections, compared
 * with a static file's from the same process. The load comes from a process of its own; what counts is the median
 * of the rounds' ratios. The goal is 2.
 */
import { join } from "node:path";
import { createSite } from "@/serving/site";
import { median } from "../support/checks/percentile";

const connections = 200;
const turns = 20;
const rounds = 7;

if (process.argv[2] === undefined) await compare();
else console.log(await medianFirstByte(new URL(process.argv[2])));

async function compare() {
  const cacheDir = join(import.meta.dir, "../../.cache/site");
  const site = await createSite({ publicUrl: new URL("http://localhost"), cacheDir });
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: site });
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const file = await fromOutside(new URL("/favicon.svg", server.url));
    const page = await fromOutside(new URL("/", server.url));
    ratios.push(page / file);
    console.log(`file ${file.toFixed(1)} ms, page ${page.toFixed(1)} ms, ${(page / file).toFixed(2)}×`);
  }
  await server.stop(true);
  console.log(`median ${median(ratios).toFixed(2)}× (goal 2)`);
}

async function fromOutside(url: URL): Promise<number> {
  const client = Bun.spawn([process.execPath, import.meta.path, url.href], { stdout: "pipe" });
  return Number(await new Response(client.stdout).text());
}

async function medianFirstByte(url: URL): Promise<number> {
  const times: number[] = [];
  const client = async () => {
    for (let turn = 0; turn < turns; turn += 1) {
      const asked = performance.now();
      const answer = await fetch(url, { headers: { "accept-encoding": "br" }, decompress: false });
      times.push(performance.now() - asked);
      await answer.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  return median(times);
}
