import { randomInt } from "node:crypto";
import { userCodeLetters } from "@/contract/vocabulary/typed-codes";
import type { Ctx } from "@/core/database/context";

/** A new user code, as people read it: XXXX-XXXX. */
export const newUserCode = (): string => `${fourLetters()}-${fourLetters()}`;

const fourLetters = () =>
  Array.from({ length: 4 }, () => userCodeLetters[randomInt(userCodeLetters.length)]).join("");

type What = "user_code" | "device_code" | "token";

/** The hash under which a code or token is stored. */
export const codeHash = (ctx: Ctx, what: What, code: string): string =>
  ctx.secrets.fingerprint("device-token", `${what}\n${code}`);

/** The hashes under which it may be stored, also under secrets that have since been replaced. */
export const codeHashes = (ctx: Ctx, what: What, code: string): string[] =>
  ctx.secrets.fingerprints("device-token", `${what}\n${code}`);

/** An account's own token has no dot, so the two can be distinguished without a look-up. */
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
