import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProcess } from "../support/operator/run-process";

const folder = await mkdtemp(join(tmpdir(), "bare-text-"));
afterAll(() => rm(folder, { recursive: true }));

/** Text that a translated page would stumble over. */
const wrong = {
  "beside a condition": "<b>{busy && <i />}Send</b>",
  "of a condition": '<b><i />{busy ? "Sending" : "Send"}</b>',
  "beside a condition on text": '<b>Send{busy && " again"}</b>',
  "of unknown kind": "<b>{busy && <i />}{words}</b>",
  "of a call": "<b>{busy && <i />}{format(words)}</b>",
  "alone in a branch": "<b>{busy ? <>Send</> : <i />}</b>",
  "beside a component that varies": "<b><Icon />Send</b>",
  "beside an element whose key varies": "<b><i key={words} />Send</b>",
};

const right = {
  "its own element": "<b>{busy && <i />}<span>Send</span></b>",
  "the only child": '<b>{busy ? "Sending" : "Send"}</b>',
  "one text of several parts": '<b>{`Send${busy ? " again" : ""}`}</b>',
  "beside what stays": "<b><i />Send</b>",
  "beside blanks": '<b><i />{" "}{busy && <i />}</b>',
  children: "<b>{busy && <i />}{children}</b>",
  "a constant element": "<b>{busy && <i />}{head}</b>",
  "what is rendered": "<b>{busy && <i />}{busy && format.renderBeside(words)}</b>",
  "a list": "<b>{busy && <i />}{all.map((one) => <i key={one} />)}</b>",
};

/** The names of the samples that lint refuses. */
async function refusedOf(samples: Record<string, string>): Promise<string[]> {
  const plugin = join(import.meta.dir, "../architecture/bare-text.mjs");
  const config = join(folder, "oxlint.json");
  await Bun.write(
    config,
    JSON.stringify({
      jsPlugins: [plugin],
      categories: { correctness: "off" },
      rules: { "latchkey/bare-text": "error" },
    }),
  );
  const names = Object.keys(samples);
  const files = names.map((name) => join(folder, `${name.replaceAll(" ", "-")}.tsx`));
  for (const [at, name] of names.entries()) {
    const code = `export function Sample({ busy, words, format, icon: Icon, children, all }) {\n  const head = <i />;\n  return ${samples[name]};\n}\n`;
    await Bun.write(files[at] ?? "", code);
  }
  const { out } = await runProcess([
    process.execPath,
    "node_modules/oxlint/bin/oxlint",
    "-c",
    config,
    "--format=unix",
    ...files,
  ]);
  return names.filter((_, at) => out.includes(files[at]?.slice(folder.length) ?? ""));
}

test("lint refuses text that a translated page would stumble over, and nothing else", async () => {
  expect(await refusedOf(wrong)).toEqual(Object.keys(wrong));
  expect(await refusedOf(right)).toEqual([]);
});
