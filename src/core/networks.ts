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
