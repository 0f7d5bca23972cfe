import { createClient } from "@libsql/client";
import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openCrashStage, waitUntil } from "../../crash/harness";
import { operateOn, type World } from "../../crash/processes";
import { seededRandom } from "../../crash/random";

const count = 400;
const kills = 10;

test("a bulk job that is killed ten times does each licence exactly once", async () => {
  const seed = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);
  console.log(`seed ${seed}`);
  const dice = seededRandom(seed);
  await using stage = await openCrashStage();
  const { world, folder } = stage;
  await (await stage.start()).kill("SIGTERM");
  const csv = await operateOn(
    world,
    "licences",
    "batch",
    String(count),
    "--days",
    "30",
    "--reason",
    "a story",
  );
  const file = join(folder, "keys.txt");
  await writeFile(
    file,
    csv
      .split("\n")
      .slice(1)
      .map((line) => line.split(",")[0])
      .join("\n"),
  );
  const { job } = JSON.parse(
    await operateOn(
      world,
      "licences",
      "bulk",
      "extend",
      file,
      "--days",
      "7",
      "--reason",
      "a story",
      "--json",
    ),
  ) as { job: string };
  const left: number[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    // between two licences, or between two steps
    const point = kill % 2 === 0 ? `item-done@${dice.whole(1, 30)}` : `step-done@${dice.whole(1, 4)}`;
    const life = await stage.start({ FAILPOINT: `licence-job.${point}` });
    await life.child.exited;
    expect(life.child.signalCode).toBe("SIGKILL");
    left.push(count - (await doneOf(world, job)).done);
  }
  console.log(`left after each kill: ${left.join(", ")}`);
  const last = await stage.start();
  const over = await waitUntil(
    () => doneOf(world, job),
    ({ finished }) => finished,
  );
  await last.kill("SIGTERM");
  expect(over).toEqual({ done: count, refused: 0, finished: true, extended: count, days: [37] });
  // it was under way each time
  expect(left.every((some) => some > 0 && some < count)).toBe(true);
});

async function doneOf({ databaseUrl }: World, job: string) {
  const client = createClient({ url: databaseUrl });
  const { rows } = await client.execute({
    sql: `SELECT done, refused, finished_at IS NOT NULL AS finished,
      (SELECT count(*) FROM audit_log WHERE action = 'licence.extended') AS extended,
      (SELECT json_group_array(DISTINCT days) FROM licences) AS days
      FROM licence_jobs WHERE id = ?`,
    args: [job],
  });
  client.close();
  const [row] = rows;
  return {
    done: Number(row?.["done"]),
    refused: Number(row?.["refused"]),
    finished: Number(row?.["finished"]) === 1,
    extended: Number(row?.["extended"]),
    days: JSON.parse((row?.["days"] ?? "") as string) as number[],
  };
}
