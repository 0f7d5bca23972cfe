import { isMailable } from "@/contract/vocabulary/addresses";

/** `name` is empty for a bare address. */
export type Sender = { name: string; address: string };

/**
 * Parses `shop@example.com` or `Shop <shop@example.com>`, whose name may be in quotes; null if mail can't be sent from
 * it.
 */
export function senderOf(from: string): Sender | null {
  const written = /^\s*(?:"?([^"<>\p{C}]*?)"?\s*<([^<>]*)>|(\S+))\s*$/u.exec(from);
  const address = written?.[2] ?? written?.[3] ?? "";
  return isMailable(address) ? { name: written?.[1] ?? "", address } : null;
}
