import { countedAs } from "@/core/limits/networks";

/**
 * The address that a request's limits count against. Each trusted proxy appends the address it saw to
 * `X-Forwarded-For`, so the client's is that many entries from the end; the client may have made up anything before
 * it. Drops the port that some proxies append: otherwise every connection would count as a new address. If the entry
 * is not an address, the proxy's own counts. A whole IPv6 /64 counts as one address, because a provider assigns at
 * least that to each customer.
 */
export function clientAddress(forwarded: string | undefined, peer: string, trustedProxies: number): string {
  const seen = trustedProxies > 0 && forwarded ? forwarded.split(",") : [];
  const client = seen.at(-Math.min(trustedProxies, seen.length)) ?? "";
  return normalized(client) ?? normalized(peer) ?? "unknown";
}

/**
 * Parses `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `2001:db8::1%eth0` or `[2001:db8::1%eth0]:80`; null for anything
 * else.
 */
function normalized(text: string): string | null {
  const [, bracketed, ported] = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(text.trim()) ?? [];
  return countedAs((bracketed ?? ported ?? text.trim()).replace(/%.*$/, ""));
}
