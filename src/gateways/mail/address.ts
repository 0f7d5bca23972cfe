import { isMailable } from "@/contract/addresses";

export type Sender = { name: string; address: string };

/** `shop@example.com` or `Shop <shop@example.com>`; a bare address gets the given name. */
export function parseSender(from: string, name: string): Sender {
  const written = /^\s*(?:"?([^"<>\p{C}]*?)"?\s*<([^<>]*)>|(\S+))\s*$/u.exec(from);
  const address = written?.[2] ?? written?.[3] ?? "";
  if (!isMailable(address)) throw new Error(`"${from}" is not an address to send mail from`);
  return { name: written?.[1] || name, address };
}
