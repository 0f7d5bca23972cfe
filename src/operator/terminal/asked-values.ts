import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { ConfigError } from "@/core/settings/config";

/** Asks for values at the terminal, without showing the hidden ones; elsewhere each is a line of standard input. */
export async function askedValues(
  wanted: { name: string; hidden: boolean }[],
): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  if (process.stdin.isTTY) {
    for (const { name, hidden } of wanted) values[name] = await ask(name, hidden);
    return values;
  }
  const lines = wanted.length > 0 ? (await Bun.stdin.text()).split(/\r?\n/) : [];
  for (const [at, { name }] of wanted.entries()) values[name] = lines[at] ?? "";
  return values;
}

async function ask(name: string, hidden: boolean): Promise<string> {
  const output = hidden ? new Writable({ write: (_, __, done) => done() }) : process.stderr;
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  // once the terminal no longer echoes
  process.stderr.write(`${name}${hidden ? " (not shown)" : ""}: `);
  try {
    return await new Promise((resolve, reject) => {
      lines.once("line", resolve);
      lines.once("close", () => reject(new ConfigError("Nothing was typed, and nothing was changed.")));
      lines.once("SIGINT", () => lines.close());
    });
  } finally {
    lines.close();
    if (hidden) process.stderr.write("\n");
  }
}
