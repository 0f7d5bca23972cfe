import { InvalidArgumentError, Option } from "commander";
import type { Command } from "commander";
import { email } from "@/contract/wire/accounts";
import { mostDevices } from "@/contract/vocabulary/devices";
import { plainTyped } from "@/contract/vocabulary/typed-codes";
import { mostCounted, mostTermDays } from "@/contract/vocabulary/bounds";

/** A whole number from one to `most`. */
export const upTo =
  (most: number) =>
  (text: string): number => {
    const typed = plainTyped(text);
    const value = Number(typed);
    if (/^\d+$/.test(typed) && value >= 1 && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${most}.`);
  };

export const positive = upTo(mostCounted);

export const ticketNumber = (text: string): number => positive(plainTyped(text).replace("#", ""));

export const termDays = upTo(mostTermDays);

export function emailAddress(text: string): string {
  const read = email.safeParse(text.trim());
  if (!read.success) throw new InvalidArgumentError("It must be an email address.");
  return read.data;
}

/** An address to look orders up by, which may be one that Stripe took and nobody can register with. */
export function anyAddress(text: string): string {
  if (/.@./.test(text)) return text.trim();
  throw new InvalidArgumentError("It must be an email address.");
}

/** A date or time in UTC, as ISO 8601. */
export function moment(text: string): Date {
  const written = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?Z?)?$/.test(text);
  const at = new Date(/T[^Z]+$/.test(text) ? `${text}Z` : text);
  if (!written || Number.isNaN(at.getTime())) {
    throw new InvalidArgumentError("It must be a date or time like 2026-01-31 or 2026-01-31T12:00.");
  }
  return at;
}

/** `--days`; without it a licence lasts a lifetime. */
export const withDays = (command: Command): Command =>
  command.addOption(
    new Option("--days <number>", "how long it runs from redemption (default: a lifetime)").argParser(
      termDays,
    ),
  );

/** `--devices`, of an offer or a licence. */
export const devicesOption = (): Option =>
  new Option("--devices <number>", "on how many computers at a time it may be used").argParser(
    upTo(mostDevices),
  );

/** The argument, or the first line of standard input for `-`, which keeps keys out of the shell's history. */
export async function typedOrPiped(typed: string): Promise<string> {
  if (typed !== "-") return typed;
  return ((await Bun.stdin.text()).split("\n")[0] ?? "").trim();
}
