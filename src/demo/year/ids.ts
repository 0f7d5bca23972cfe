const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** So many letters of the alphabet above are in 64 bits. */
const lettersInHash = 10;

/** An id as Stripe's, of the year's `number`th order. The same year has the same ids at every start of every demo. */
export function stripeId(prefix: string, number: number, length = 24): string {
  let id = prefix;
  for (let block = 0; id.length < prefix.length + length; block += 1) {
    let rest = Bun.hash(`${prefix}:${number}:${block}`);
    for (let at = 0; at < lettersInHash; at += 1, rest /= 62n) id += letters[Number(rest % 62n)];
  }
  return id.slice(0, prefix.length + length);
}

/** A UUIDv7 of that second, the same for the same name. */
export function idAt(seconds: number, name: string): string {
  const time = (seconds * 1000).toString(16).padStart(12, "0");
  const hash = (seed: bigint) => Bun.hash.wyhash(name, seed).toString(16).padStart(16, "0");
  const rest = hash(1n) + hash(2n);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${rest.slice(0, 3)}-a${rest.slice(3, 6)}-${rest.slice(6, 18)}`;
}
