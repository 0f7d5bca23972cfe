import { randomInt } from "node:crypto";
import type { Ctx } from "@/core/context";

/** The letters of a user code: no vowels, so that none spells a word, and none that looks like another (RFC 8628 §6.1). */
const letters = "BCDFGHJKLMNPQRSTVWXZ";
const length = 8;

export const newUserCode = (): string =>
  Array.from({ length }, () => letters[randomInt(letters.length)]).join("");

/** A user code as people read it: XXXX-XXXX. */
export const shownCode = (code: string): string => `${code.slice(0, length / 2)}-${code.slice(length / 2)}`;

/** A typed user code, in any case and with any dashes and spaces; null if it can't be one. */
export function readUserCode(typed: string): string | null {
  const code = typed.replace(/[\s\p{Pd}]/gu, "").toUpperCase();
  return code.length === length && [...code].every((letter) => letters.includes(letter)) ? code : null;
}

type What = "user_code" | "device_code" | "token";

/** The hash under which a code or token is stored. */
export const codeHash = (ctx: Ctx, what: What, code: string): string =>
  ctx.secrets.fingerprint("device-token", `${what}\n${code}`);

/** The hashes under which it may be stored, also under secrets that have since been replaced. */
export const codeHashes = (ctx: Ctx, what: What, code: string): string[] =>
  ctx.secrets.fingerprints("device-token", `${what}\n${code}`);

/** No account's own token has a dot, so both are told apart without a look-up. */
const prefix = "device.";

/**
 * The token of a device code. It follows from the code, so that a copy of the shop, restored from before the token was
 * handed out, can't hand out a second one.
 */
export const tokenOf = ({ secrets }: Ctx, deviceCode: string): string =>
  `${prefix}${secrets.mac("device-token", `issue\n${deviceCode}`).toString("base64url")}`;

export const isDeviceToken = (token: string): boolean => token.startsWith(prefix);

/** Binds a sealed hardware ID to its request: no other row can open it. */
export const requestContext = (id: string) => `device-request:${id}`;
