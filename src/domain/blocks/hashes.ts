import { createHash } from "node:crypto";
import type { Ctx } from "@/core/context";
import type { Device } from "../schema/devices";

/** What names a computer without telling its hardware ID, in requests for offline files: base64url(SHA-256(hwid)). */
export const hwidHashOf = (hwid: string): string => createHash("sha256").update(hwid).digest("base64url");

/** A computer by its hardware ID or, where it never goes online, by the ID's hash alone. */
export type Computer = { hwid: string } | { hwidHash: string };

export type Hashes = {
  /** The keyed hash to store, and those under secrets that have since been replaced. */
  computer: string[];
  /** The same in the earlier form, of the hardware ID itself; empty where only its hash is known. */
  hwid: string[];
};

/** The hashes under which a computer may be stored, the current one of each form first. */
export function hashesOf({ secrets }: Pick<Ctx, "secrets">, computer: Computer): Hashes {
  const hwidHash = "hwid" in computer ? hwidHashOf(computer.hwid) : computer.hwidHash;
  return {
    computer: secrets.fingerprints("device", hwidHash),
    hwid: "hwid" in computer ? secrets.fingerprints("device", computer.hwid) : [],
  };
}

/** A computer's hashes as columns, of `kept` too if it was known already. */
export function hashColumns(
  { computer, hwid }: Hashes,
  kept?: Pick<Device, "hwidHash">,
): Pick<Device, "computerHash" | "hwidHash"> {
  const [computerHash = ""] = computer;
  return { computerHash, hwidHash: hwid[0] ?? kept?.hwidHash ?? computerHash };
}
