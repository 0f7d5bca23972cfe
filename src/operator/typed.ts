import { InvalidArgumentError, Option } from "commander";
import type { Command } from "commander";

/** A whole number of at least one. */
export function positive(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new InvalidArgumentError("It is a whole number from 1 on.");
  return value;
}

/** A day or time of UTC, in ISO 8601. */
export function moment(text: string): Date {
  const written = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?Z?)?$/.test(text);
  const at = new Date(/T[^Z]+$/.test(text) ? `${text}Z` : text);
  if (!written || Number.isNaN(at.getTime())) {
    throw new InvalidArgumentError("It is a date or time like 2026-01-31 or 2026-01-31T12:00.");
  }
  return at;
}

/** `--days`, which without a number given means a lifetime. */
export const withDays = (command: Command): Command =>
  command.addOption(
    new Option("--days <number>", "how long it runs from redemption (default: a lifetime)").argParser(
      positive,
    ),
  );

/** What was typed, or the first line of standard input for `-`, so that a key needn't stand in a shell's history. */
export async function typedOrPiped(typed: string): Promise<string> {
  if (typed !== "-") return typed;
  return ((await Bun.stdin.text()).split("\n")[0] ?? "").trim();
}
