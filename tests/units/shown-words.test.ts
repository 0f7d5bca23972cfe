import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProcess } from "../support/operator/run-process";

const root = join(import.meta.dir, "../..");
const folder = await mkdtemp(join(tmpdir(), "shown-words-"));
afterAll(() => rm(folder, { recursive: true }));

/** What the rule says about the texts of files or folders, a line each. */
async function saidOf(paths: readonly string[]): Promise<string[]> {
  const config = join(folder, "oxlint.json");
  await Bun.write(
    config,
    JSON.stringify({
      jsPlugins: [join(root, "tests/architecture/shown-words.mjs")],
      categories: { correctness: "off" },
      rules: { "words/shown-words": "error" },
    }),
  );
  const oxlint = [process.execPath, "node_modules/oxlint/bin/oxlint", "-c", config, "--format=unix"];
  const { out, err } = await runProcess([...oxlint, ...paths]);
  expect(err).toBe("");
  return out.split("\n").filter((line) => /^\S+:\d+:/.test(line));
}

/** What the rule says about expressions; each has a file of its own. */
async function saidOfSamples(samples: readonly string[]): Promise<string[]> {
  const files = samples.map((_, at) => join(folder, `sample-${at}.tsx`));
  await Promise.all(
    files.map((file, at) => Bun.write(file, `export const sample = (x, b, log) => ${samples[at]};\n`)),
  );
  const said = await saidOf(files);
  return samples.filter((_, at) => said.some((line) => line.includes(`sample-${at}.tsx`)));
}

test("what customers, members and staff read has none of the words that no American would write", async () => {
  const parts = ["web", "domain", "api", "contract", "brand", "operator", "core/settings"];
  expect(await saidOf(["bot", ...parts.map((part) => `src/${part}`)])).toEqual([]);
});

test("they are found in strings, templates and between tags", async () => {
  const wrong = [
    '"Sign in to go on."',
    "`Your license ${x} goes on.`",
    "<p>It closes at\n once.</p>",
    '<b title="Refunded in all" />',
    '"Somebody else did this."',
    '"All places are taken."',
    '"Closed by itself."',
    '"Made"',
    "`${x} % of computers`",
    '"Nobody can buy it any more." as const',
    "<p>{b ? <i /> : <i>You get this email because</i>}</p>",
  ];
  expect(await saidOfSamples(wrong)).toEqual(wrong);
});

test("names, classes, statements and log lines are no texts, and other uses are right", async () => {
  const right = [
    "x.places",
    '({ places: 3, "go on": 1 })',
    '"places"',
    "x`select places, in all`",
    'log.warn("the bot goes on")',
    '<i className="goes on" />',
    '"Reads `places` of the account."',
    '"In all of our releases, once."',
    '"Made with love"',
    '"made"',
    "`${x}% of computers`",
  ];
  expect(await saidOfSamples(right)).toEqual([]);
});
