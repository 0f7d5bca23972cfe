import { BlockList, isIPv4, isIPv6 } from "node:net";
import { ipv4Within } from "@/core/limits/networks";

/**
 * Whether IANA lists an address, as the resolver or URL writes it, as globally reachable. False for whatever is no
 * address, for those with a zone (`fe80::1%eth0`), and for IPv6 addresses that stand for an IPv4 address, except
 * behind NAT64's well-known prefix, where the IPv4 address decides.
 */
export function isGloballyReachable(address: string): boolean {
  if (isIPv4(address)) return !isSpecial(address, "ipv4");
  if (!isIPv6(address) || address.includes("%")) return false;
  if (nat64.check(address, "ipv6")) return isGloballyReachable(ipv4Within(address) ?? "");
  return globalUnicast.check(address, "ipv6") && !isSpecial(address, "ipv6");
}

const isSpecial = (address: string, family: "ipv4" | "ipv6") =>
  notReachable.check(address, family) && !reachableWithin.check(address, family);

/** IANA's IPv6 address space: the rest is reserved, local or multicast (https://www.iana.org/assignments/ipv6-address-space). */
const globalUnicast = blockList(["2000::/3"]);

/** RFC 6052 §2.1; listed as globally reachable. A network with IPv6 only gets every IPv4 server's address so (DNS64). */
const nat64 = blockList(["64:ff9b::/96"]);

/**
 * The rows of https://www.iana.org/assignments/iana-ipv4-special-registry and …/iana-ipv6-special-registry (both of
 * 2025-10-09) whose "Globally Reachable" is not True, within 2000::/3, and multicast (…/multicast-addresses).
 */
const notReachable = blockList([
  "0.0.0.0/8", // "this network"
  "10.0.0.0/8", // private use
  "100.64.0.0/10", // shared address space of providers
  "127.0.0.0/8", // loopback
  "169.254.0.0/16", // link-local, clouds' metadata
  "172.16.0.0/12", // private use
  "192.0.0.0/24", // protocol assignments
  "192.0.2.0/24", // documentation
  "192.88.99.0/24", // 6to4 relays, deprecated
  "192.168.0.0/16", // private use
  "198.18.0.0/15", // benchmarking
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, broadcast
  "2001::/23", // protocol assignments, Teredo, benchmarking, ORCHID
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4
  "3fff::/20", // documentation
]);

/** Rows inside those above whose "Globally Reachable" is True. */
const reachableWithin = blockList([
  "192.0.0.9/32", // Port Control Protocol anycast
  "192.0.0.10/32", // TURN anycast
  "2001:1::1/128", // Port Control Protocol anycast
  "2001:1::2/128", // TURN anycast
  "2001:1::3/128", // DNS-SD registration anycast
  "2001:3::/32", // AMT
  "2001:4:112::/48", // AS112
  "2001:20::/28", // ORCHIDv2
  "2001:30::/28", // drones' remote ids
]);

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    list.addSubnet(address, Number(bits), isIPv4(address) ? "ipv4" : "ipv6");
  }
  return list;
}
