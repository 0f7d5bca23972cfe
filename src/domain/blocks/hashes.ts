import { createHash } from "node:crypto";
import type { Ctx } from "@/core/database/context";

/** What names a computer without telling its hardware ID, in requests for offline files: base64url(SHA-256(hwid)). */
export const hwidHashOf = (hwid: string): string => createHash("sha256").update(hwid).digest("base64url");

/**
 * A computer by its hardware ID or, where it never goes online, by the ID's hash alone; or by its {@link hashesOf}, where
 * they were made already.
 */
export type Computer = { hwid: string } | { hwidHash: string } | { hashes: string[] };

/** The keyed hashes under which a computer may be stored: the current one, then those under replaced secrets. */
export const hashesOf = ({ secrets }: Pick<Ctx, "secrets">, computer: Computer): string[] =>
  "hashes" in computer
    ? computer.hashes
    : secrets.fingerprints("device", "hwid" in computer ? hwidHashOf(computer.hwid) : computer.hwidHash);

/** The keyed hash to store. */
export const hashOf = (ctx: Pick<Ctx, "secrets">, computer: Computer): string =>
  hashesOf(ctx, computer)[0] ?? "";
