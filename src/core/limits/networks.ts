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

/** Limits treat a whole IPv6 /64 as one customer, since providers assign no less. */
const narrowest = { 4: 32, 6: 64 } as const;
/** Refuses wider networks as typing mistakes: no provider assigns a wider network to a customer. */
const widest = { 4: 8, 6: 16 } as const;

/** Every network that contains an address, as {@link parseNetwork} writes it. */
export function prefixesOf(address: string): string[] {
  const parsed = parsedAddress(address.replace(/\/64$/, ""));
  if (!parsed) return [];
  const { version } = parsed;
  const lengths = narrowest[version] - widest[version] + 1;
  return Array.from({ length: lengths }, (_, at) => written(parsed, narrowest[version] - at));
}

/**
 * Parses an address or a network in CIDR notation, without the bits of the host. An IPv6 address stands for its /64.
 * Null if malformed or too wide.
 */
export function parseNetwork(typed: string): string | null {
  const [, address = "", length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(typed.trim()) ?? [];
  const parsed = parsedAddress(address);
  if (!parsed) return null;
  const { version, inside } = parsed;
  const longest = version === 4 ? 32 : 128;
  const typedBits = Number(length ?? inside + longest);
  const bits = typedBits - inside;
  if (bits < widest[version] || typedBits > (isIPv4(address) ? 32 : 128)) return null;
  return written(parsed, Math.min(bits, narrowest[version]));
}

type Parsed = { version: 4 | 6; groups: number[]; inside: number };

/**
 * Groups have eight bits in IPv4, and sixteen in IPv6, of which the first four count. `inside`: how many bits of an
 * IPv6 address come before its embedded IPv4 address.
 */
function parsedAddress(text: string): Parsed | null {
  if (isIPv4(text)) return { version: 4, groups: text.split(".").map(Number), inside: 0 };
  // no zone: it names an interface of one machine
  if (!isIPv6(text) || text.includes("%")) return null;
  const groups = groupsOf(text);
  const kind = embeddings.find(({ is }) => is(groups));
  return kind
    ? { version: 4, groups: kind.bytes(groups), inside: kind.inside }
    : { version: 6, groups: groups.slice(0, 4), inside: 0 };
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

/** The IPv4 address embedded in an IPv6 address, which reaches the same host; null if there is none. */
export function ipv4Within(address: string): string | null {
  const groups = groupsOf(address);
  return (
    embeddings
      .find(({ is }) => is(groups))
      ?.bytes(groups)
      .join(".") ?? null
  );
}

const bytesOf = (high = 0, low = 0) => [high >> 8, high & 255, low >> 8, low & 255];
const starts =
  (...prefix: number[]) =>
  (groups: number[]) =>
    prefix.every((group, at) => groups[at] === group);
const atTheEnd = { inside: 96, bytes: (groups: number[]) => bytesOf(groups[6], groups[7]) };

type Embedding = {
  is: (groups: number[]) => boolean;
  inside: number;
  bytes: (groups: number[]) => number[];
};

/** Where IPv6 addresses embed an IPv4 address. */
const embeddings: Embedding[] = [
  // IPv4-mapped and IPv4-translated (RFC 4291 §2.5.5.2, RFC 7915)
  { is: starts(0, 0, 0, 0, 0, 0xffff), ...atTheEnd },
  { is: starts(0, 0, 0, 0, 0xffff, 0), ...atTheEnd },
  // NAT64's well-known prefix (RFC 6052 §2.1)
  { is: starts(0x64, 0xff9b, 0, 0, 0, 0), ...atTheEnd },
  // 6to4 (RFC 3056 §2)
  { is: starts(0x2002), inside: 16, bytes: (groups) => bytesOf(groups[1], groups[2]) },
  // Teredo, which inverts the address (RFC 4380 §4)
  {
    is: starts(0x2001, 0),
    inside: 96,
    bytes: (groups) => bytesOf((groups[6] ?? 0) ^ 0xffff, (groups[7] ?? 0) ^ 0xffff),
  },
];

/** The eight groups of an IPv6 address. */
export function groupsOf(address: string): number[] {
  // URL rewrites a trailing 192.0.2.1 as two groups
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const left = head ? head.split(":") : [];
  const right = tail ? tail.split(":") : [];
  const zeros = Array<string>(8 - left.length - right.length).fill("0");
  return [...left, ...zeros, ...right].map((group) => parseInt(group, 16));
}
