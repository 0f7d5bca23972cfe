import { randomBytes } from "node:crypto";
import { brand } from "@/brand/brand";
import { bareKey, plainTyped, typedCode } from "@/contract/vocabulary/typed-codes";
import type { Ctx } from "@/core/database/context";

/** Crockford's base32: no I, L, O or U. I and L are read as 1, and O as 0. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const dataSymbols = 15;

/**
 * A licence key: `PREFIX-XXXX-XXXX-XXXX-XXXX`, 75 bits and one check symbol.
 * https://www.crockford.com/base32.html
 */
export const randomKey = () => keyFrom(randomBytes(10));

/**
 * A key that a checkout session sells. Derived only from the session, its index in the order, its version and the
 * shop's secret, so that a retry, a restored backup or a reconciliation yields the same key.
 */
export function soldKey(
  { secrets }: Pick<Ctx, "secrets">,
  sessionId: string,
  index = 0,
  version = 0,
): string {
  const first = index === 0 ? sessionId : `${sessionId}:${index}`;
  return keyFrom(secrets.mac("licence-key", version === 0 ? first : `${sessionId}:${index}:${version}`));
}

/**
 * The forms under which the shop may keep a typed key: first as pasted, since another shop's keys may hold any
 * character, then as read, with and without what surrounds it.
 */
export function keyForms(typed: string): string[] {
  const read = readKey(typed) ?? readForeignKey(bareKey(typed));
  const forms = [typed.trim().normalize("NFC"), readForeignKey(typed), read];
  return [...new Set(forms.filter((form) => form !== null))];
}

/**
 * Reads a key as people type it: case, spaces, dashes and what surrounds it don't matter, and the prefix may be
 * missing. Null if it isn't a key (wrong length, foreign character, wrong check symbol).
 */
export function readKey(typed: string): string | null {
  const prefix = brand.keyPrefix.toUpperCase();
  let text = typedCode(bareKey(typed));
  if (text.length === prefix.length + dataSymbols + 1 && text.startsWith(prefix)) {
    text = text.slice(prefix.length);
  }
  const symbols = inAlphabet(text)
    .split("")
    .map((letter) => alphabet.indexOf(letter));
  if (symbols.length !== dataSymbols + 1 || symbols.includes(-1)) return null;
  return checkSymbol(symbols.slice(0, dataSymbols)) === symbols[dataSymbols] ? formatKey(symbols) : null;
}

const inAlphabet = (letters: string) => letters.replace(/[IL]/g, "1").replace(/O/g, "0");

/**
 * Reads an imported key of another shop, in any format: case and spaces don't matter, dashes do. Null if it is too
 * short to be hard to guess or holds other characters.
 */
export function readForeignKey(typed: string): string | null {
  const key = plainTyped(typed).toUpperCase().replace(/\s/g, "");
  return /^[A-Z0-9_-]{12,64}$/.test(key) ? key : null;
}

/** The key as everybody may see it: its last group, or the last four characters of a foreign key. */
export const maskKey = (key: string) => (isOwnKey(key) ? maskOwn(key) : `••••${key.slice(-4)}`);

/** Whether it is a key as this shop makes them. */
export const isOwnKey = (key: string): boolean => ownForm.test(key);

const ownForm = new RegExp(`^${brand.keyPrefix}(-[^-]{4}){4}$`);
const maskOwn = (key: string) =>
  key
    .split("-")
    .map((group, at, all) => (at === 0 || at === all.length - 1 ? group : "••••"))
    .join("-");

/** The keyed hash that finds a key. */
export const keyHash = (ctx: Ctx, key: string) => ctx.secrets.fingerprint("licence-lookup", key);

/** The hashes under which a key may be stored: two while the shop's secret is being replaced. */
export const keyHashes = (ctx: Ctx, key: string) => ctx.secrets.fingerprints("licence-lookup", key);

/** The part of a key that its masked form shows. */
const tailOf = (key: string) => `tail:${key.slice(-4)}`;

/** The keyed hash that finds a masked key. */
export const keyTail = (ctx: Ctx, key: string) => ctx.secrets.fingerprint("licence-lookup", tailOf(key));

/** The hashes under which a typed tail may be stored: as it is and as {@link readKey} reads it, of this secret and the last. */
export const keyTails = (ctx: Ctx, tail: string): string[] =>
  [...new Set([tail, inAlphabet(tail)])].flatMap((one) =>
    ctx.secrets.fingerprints("licence-lookup", tailOf(one)),
  );

function keyFrom(bytes: Uint8Array): string {
  const bits = [...bytes.subarray(0, 10)].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const symbols = Array.from({ length: dataSymbols }, (_, at) => parseInt(bits.slice(at * 5, at * 5 + 5), 2));
  return formatKey([...symbols, checkSymbol(symbols)]);
}

/**
 * A Reed–Solomon parity over GF(32): each position has its own weight, so any single wrong symbol and any swap of
 * two is detected.
 */
const checkSymbol = (symbols: number[]) =>
  timesAlpha(symbols.reduce((sum, symbol) => timesAlpha(sum) ^ symbol, 0));

/** Multiplies by the generator of GF(32), x⁵ + x² + 1. */
const timesAlpha = (value: number) => (value & 16 ? (value << 1) ^ 0b100101 : value << 1);

function formatKey(symbols: number[]): string {
  const text = symbols.map((symbol) => alphabet[symbol]).join("");
  return [brand.keyPrefix, ...(text.match(/.{4}/g) ?? [])].join("-");
}
