import { isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * The networks an address counts towards: the address itself and, for IPv6, the /56 and /48 around its /64. Providers
 * assign networks of those sizes, so one connection may have 65,536 /64s. A network may use `share` times the limit
 * of one address.
 */
export function networksOf(address: string): { network: string; share: number }[] {
  const own = { network: address, share: 1 };
  const [start = "", length] = address.split("/");
  if (length === undefined) return [own];
  return [own, { network: written(start, 56), share: 4 }, { network: written(start, 48), share: 16 }];
}

/** Limits treat a whole IPv6 /64 as one customer, since providers assign no less. */
const narrowest = { 4: 32, 6: 64 } as const;
/** Refuses wider networks as typing mistakes: no provider assigns a wider network to a customer. */
const widest = { 4: 8, 6: 16 } as const;

/** How limits count an address: IPv4 by itself, IPv6 by its /64. Null if it is not an address. */
export function countedAs(address: string): string | null {
  const parsed = parsedAddress(address);
  return parsed?.version === 6 ? written(address, narrowest[6]) : (parsed?.host ?? null);
}

/** Every network that contains an address, as {@link parseNetwork} writes it. */
export function prefixesOf(address: string): string[] {
  const parsed = parsedAddress(address.replace(/\/64$/, ""));
  if (!parsed) return [];
  const { host, version } = parsed;
  const lengths = narrowest[version] - widest[version] + 1;
  return Array.from({ length: lengths }, (_, at) => written(host, narrowest[version] - at));
}

/**
 * Parses an address or a network in CIDR notation, without the bits of the host. An IPv6 address stands for its /64.
 * Null if malformed or too wide.
 */
export function parseNetwork(typed: string): string | null {
  const [, address = "", length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(typed.trim()) ?? [];
  const parsed = parsedAddress(address);
  if (!parsed) return null;
  const { host, version, inside } = parsed;
  const longest = isIPv4(address) ? 32 : 128;
  const typedBits = Number(length ?? longest);
  const bits = typedBits - inside;
  if (bits < widest[version] || typedBits > longest) return null;
  return written(host, Math.min(bits, narrowest[version]));
}

/** The IPv4 address that an address is or embeds, which reaches the same host; null if there is none. */
export function ipv4Within(address: string): string | null {
  const parsed = parsedAddress(address);
  return parsed?.version === 4 ? parsed.host : null;
}

/** `inside`: how many bits of an IPv6 address come before its embedded IPv4 address, which is then the host. */
function parsedAddress(text: string): { host: string; version: 4 | 6; inside: number } | null {
  if (isIPv4(text)) return { host: text, version: 4, inside: 0 };
  // no zone: it names an interface of one machine
  if (!isIPv6(text) || text.includes("%")) return null;
  const address = ipaddr.IPv6.parse(text);
  const found = embeddings.find(({ network }) => address.match(network));
  if (!found) return { host: text, version: 6, inside: 0 };
  const { inside, inverted } = found;
  const bytes = address.toByteArray().slice(inside / 8, inside / 8 + 4);
  return { host: bytes.map((byte) => (inverted ? byte ^ 255 : byte)).join("."), version: 4, inside };
}

const embedding = (network: string, inside: number, inverted = false) => ({
  network: ipaddr.IPv6.parseCIDR(network),
  inside,
  inverted,
});

/** Where IPv6 addresses embed an IPv4 address. */
const embeddings = [
  // IPv4-mapped and IPv4-translated (RFC 4291 §2.5.5.2, RFC 7915)
  embedding("::ffff:0:0/96", 96),
  embedding("::ffff:0:0:0/96", 96),
  // NAT64's well-known prefix (RFC 6052 §2.1)
  embedding("64:ff9b::/96", 96),
  // 6to4 (RFC 3056 §2)
  embedding("2002::/16", 16),
  // Teredo (RFC 4380 §4)
  embedding("2001::/32", 96, true),
];

function written(address: string, bits: number): string {
  const version = isIPv4(address) ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${version.networkAddressFromCIDR(`${address}/${bits}`).toString()}/${bits}`;
}
