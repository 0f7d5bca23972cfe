/** The characters allowed in an address: none that could end a header or add a recipient. */
const plain = /^[^\s\p{C}@"(),:;<>[\]\\]{1,64}@[^\s\p{C}@"'(),:;<>[\]\\]+$/u;

/** RFC 5321 §4.5.3.1.3: a path has at most 256 octets, including its angle brackets. */
const longest = 254;

/** One plain mailbox. Less strict than for accounts, because a buyer's address comes from Stripe. */
export function isPlainAddress(address: string): boolean {
  return Buffer.byteLength(address) <= longest && plain.test(address);
}

export type Sender = { name: string; address: string };

/** `shop@example.com` or `Shop <shop@example.com>`; a bare address gets the given name. */
export function parseSender(from: string, name: string): Sender {
  const written = /^\s*(?:"?([^"<>\p{C}]*?)"?\s*<([^<>]*)>|(\S+))\s*$/u.exec(from);
  const address = written?.[2] ?? written?.[3] ?? "";
  if (!isPlainAddress(address)) throw new Error(`"${from}" is not an address to send mail from`);
  return { name: written?.[1] || name, address };
}
