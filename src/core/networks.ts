import { isIPv4, isIPv6 } from "node:net";

/**
 * The networks an address counts towards: the address itself and, for IPv6, the /56 and /48 around its /64. Providers
 * assign networks of those sizes, so one connection may have 65,536 /64s. A network may use `share` times the limit
 * of one address.
 */
export function networksOf(address: string): { network: string; share: number }[] {
  const [first, second, third, fourth = ""] = address.split(":");
  const own = { network: address, share: 1 };
  if (!address.endsWith("::/64")) return [own];
  const site = `${first}:${second}:${third}`;
  const home = (parseInt(fourth, 16) & 0xff00).toString(16);
  return [own, { network: `${site}:${home}::/56`, share: 4 }, { network: `${site}::/48`, share: 16 }];
}

/** Narrower IPv6 networks are not told apart: a /64 is what one customer gets. */
const narrowest = { 4: 32, 6: 64 } as const;
/** Wider networks are a typing mistake: the widest that anybody is given, and far from everybody. */
const widest = { 4: 8, 6: 16 } as const;

/** Every network that contains an address as limits count it, written as {@link parseNetwork} writes it. */
export function prefixesOf(address: string): string[] {
  const parsed = parsedAddress(address.replace(/\/64$/, ""));
  if (!parsed) return [];
  const { version } = parsed;
  const lengths = narrowest[version] - widest[version] + 1;
  return Array.from({ length: lengths }, (_, at) => written(parsed, narrowest[version] - at));
}

/**
 * The network that was typed, as an address or in CIDR notation, without the bits of the host. An IPv6 address
 * stands for its /64. Null where it is none, or too wide.
 */
export function parseNetwork(typed: string): string | null {
  const [, address = "", length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(typed.trim()) ?? [];
  const parsed = parsedAddress(address);
  if (!parsed) return null;
  const { version } = parsed;
  const bits = Number(length ?? narrowest[version]);
  const longest = version === 4 ? 32 : 128;
  if (bits < widest[version] || bits > longest) return null;
  return written(parsed, Math.min(bits, narrowest[version]));
}

type Parsed = { version: 4 | 6; groups: number[] };

/** Eight bits a group in IPv4, sixteen in IPv6, of which the first four count. */
function parsedAddress(text: string): Parsed | null {
  if (isIPv4(text)) return { version: 4, groups: text.split(".").map(Number) };
  // no zone: it names an interface of one machine
  if (!isIPv6(text) || text.includes("%")) return null;
  const mapped = ipv4Within(text);
  return mapped ? parsedAddress(mapped) : { version: 6, groups: groupsOf(text).slice(0, 4) };
}

function written({ version, groups }: Parsed, bits: number): string {
  const size = version === 4 ? 8 : 16;
  const kept = groups.map((group, at) => {
    const dropped = Math.min(size, Math.max(0, size * (at + 1) - bits));
    return (group >> dropped) << dropped;
  });
  if (version === 4) return `${kept.join(".")}/${bits}`;
  const hex = kept.map((group) => group.toString(16));
  while (hex.length > 1 && hex.at(-1) === "0") hex.pop();
  return `${hex.join(":")}::/${bits}`;
}

/** The IPv4 address inside an IPv4-mapped IPv6 address (`::ffff:0:0/96`). */
export function ipv4Within(address: string): string | null {
  const [low = 0, high = 0, ...rest] = groupsOf(address).toReversed();
  const mapped = rest[0] === 0xffff && rest.slice(1).every((group) => group === 0);
  return mapped ? [high >> 8, high & 255, low >> 8, low & 255].join(".") : null;
}

/** The eight groups of an IPv6 address. */
export function groupsOf(address: string): number[] {
  // URL rewrites a trailing 192.0.2.1 as two groups
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const left = head ? head.split(":") : [];
  const right = tail ? tail.split(":") : [];
  const zeros = Array<string>(8 - left.length - right.length).fill("0");
  return [...left, ...zeros, ...right].map((group) => parseInt(group, 16));
}
