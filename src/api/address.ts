import { isIPv6 } from "node:net";

/**
 * Whom a request counts for. Each trusted proxy appends the address it saw to `X-Forwarded-For`, so
 * the client's is that many places from the end; anything before it the client may have made up.
 * An IPv6 customer holds a whole /64, so those count as one.
 */
export function clientAddress(forwarded: string | undefined, peer: string, trustedProxies: number): string {
  const seen = trustedProxies > 0 && forwarded ? forwarded.split(",").map((entry) => entry.trim()) : [];
  const address = seen.at(-Math.min(trustedProxies, seen.length)) || peer;
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  return isIPv6(plain) ? prefix64(plain) : plain.slice(0, 64);
}

function prefix64(address: string): string {
  const [head = "", tail] = (address.split("%")[0] ?? "").split("::");
  const left = head ? head.split(":") : [];
  const right = tail ? tail.split(":") : [];
  const zeros =
    tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0");
  const groups = [...left, ...zeros, ...right].slice(0, 4);
  return `${groups.map((group) => parseInt(group, 16).toString(16)).join(":")}::/64`;
}
