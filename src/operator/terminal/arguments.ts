import { InvalidArgumentError } from "commander";
import type { Command } from "commander";
import { canonicalAddress } from "@/contract/vocabulary/addresses";
import { maxCount, maxPrice, maxTermDays } from "@/contract/vocabulary/bounds";
import { maxDevices } from "@/contract/vocabulary/devices";
import {
  emailAddress as anEmail,
  type Field,
  type ReadResult,
  readField,
  wholeNumber,
} from "@/contract/vocabulary/fields";
import { cleaned } from "@/contract/vocabulary/typed-text";
import { plainTyped } from "@/contract/vocabulary/typed-codes";
import { readId } from "@/core/database/context";

/** Reads what is typed for a field, as commander's options and arguments do. */
export function readerOf(field: Field): (typed: string) => unknown {
  return (typed) => {
    const read = readTypedField(field, typed);
    if ("value" in read) return read.value;
    throw new InvalidArgumentError(`It must be ${read.mistake}.`);
  };
}

/** Amounts are typed in minor units here. */
const minorUnits = wholeNumber({ label: "Amount", most: maxPrice });

/** {@link readField}, of what people paste as well. */
export const readTypedField = (field: Field, typed: string): ReadResult =>
  readField(field.kind === "amount" ? minorUnits : field, plain(field, typed));

function plain({ kind }: Field, typed: string): string {
  switch (kind) {
    case "whole":
    case "amount":
      return plainTyped(typed);
    case "text":
      return cleaned(typed);
    case "email":
      return canonicalAddress(typed.trim()) ?? typed.trim();
    case "id":
      return readId(typed) ?? typed.trim();
    default:
      return typed;
  }
}

/** A whole number from one to `most`. */
export const upTo = (most: number) =>
  readerOf(wholeNumber({ label: "Number", most })) as (typed: string) => number;

export const positiveNumber = upTo(maxCount);

export const ticketNumber = (typed: string): number => positiveNumber(plainTyped(typed).replace("#", ""));

export const termDays = upTo(maxTermDays);

export const emailAddress = readerOf(anEmail({ label: "Address" })) as (typed: string) => string;

/** An address to look orders up by, which may be one that Stripe took and nobody can register with. */
export function anyAddress(text: string): string {
  if (/.@./.test(text)) return text.trim();
  throw new InvalidArgumentError("It must be an email address.");
}

/** A date or time in UTC, as ISO 8601. */
export function typedMoment(text: string): Date {
  const written = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z?)?$/.test(text);
  const at = new Date(/T[^Z]+$/.test(text) ? `${text}Z` : text);
  if (!written || Number.isNaN(at.getTime())) {
    throw new InvalidArgumentError("It must be a date or time like 2026-01-31 or 2026-01-31T12:00.");
  }
  return at;
}

export const daysAbout = "how long it runs from redemption (default: a lifetime)";
export const devicesAbout = "on how many computers at a time it may be used";

/** Of which level a licence is, how long it runs, and on how many computers. */
export const withTerms = (command: Command): Command =>
  command
    .option("--level <id>", "the level's id (default: the first level)")
    .option("--days <number>", daysAbout, termDays)
    .option("--devices <number>", devicesAbout, upTo(maxDevices), 1);

/** The argument, or the first line of standard input for `-`, which keeps keys out of the shell's history. */
export async function typedOrPiped(typed: string): Promise<string> {
  if (typed !== "-") return typed;
  return ((await Bun.stdin.text()).split("\n")[0] ?? "").trim();
}
