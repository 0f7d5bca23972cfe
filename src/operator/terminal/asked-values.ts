import { isCancel, password, text } from "@clack/prompts";
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
  const output = process.stderr;
  const typed = await (hidden
    ? password({ message: `${name} (not shown)`, output })
    : text({ message: name, output }));
  if (isCancel(typed)) throw new ConfigError("Nothing was typed, and nothing was changed.");
  return typed;
}
