import { z } from "zod";
import { hwidHash } from "./application";
import { deviceLabel } from "./own-devices";
import { proofs } from "./security";

const requested = z.object({ hwid_hash: hwidHash, label: deviceLabel, os: deviceLabel });
export type OfflineRequest = z.infer<typeof requested>;

/** More than a request with the longest names takes. */
const mostLength = 2048;

/** What an application that is never online shows: base64url of `{hwid_hash, label, os}`. Null if it is not that. */
export function readOfflineRequest(typed: string): OfflineRequest | null {
  const text = typed.replace(/\s/g, "");
  if (text.length > mostLength || !/^[\w-]+={0,2}$/.test(text)) return null;
  try {
    const json = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(text, "base64url"));
    return requested.safeParse(JSON.parse(json)).data ?? null;
  } catch {
    return null;
  }
}

export const offlineFileBody = z.object({
  request: z
    .string()
    .max(2 * mostLength)
    .transform((typed, context) => {
      const request = readOfflineRequest(typed);
      if (request) return request;
      context.addIssue({ code: "custom", message: "is not a request that the application showed" });
      return z.NEVER;
    })
    .describe("base64url of `{hwid_hash, label, os}`, as the application shows it"),
  ...proofs,
});
