import { BlockList, isIP } from "node:net";
import { isGloballyReachable } from "./reachable-addresses";

/** Why an address can't be an endpoint's. */
export type UrlProblem =
  | "too_long"
  | "malformed"
  | "not_https"
  | "credentials"
  | "fragment"
  | "port"
  | "inner_address"
  | "not_this_machine";

export type CheckedUrl = { ok: true; url: URL } | { ok: false; problem: UrlProblem };

const longestUrl = 2_000;

/**
 * What can be said of an endpoint's URL without asking a resolver, when it is added and again at each try. Where names
 * lead is checked at each try, by the gateway. `url.href` is the one spelling to store: hosts in lower case, in
 * Punycode, and IPv4 addresses however they were written (`0x7f.1`, `2130706433`) as four numbers.
 *
 * `allowPrivate`: http and private addresses are fine too, for development; `loopback`: http is, and this machine alone.
 */
export function checkUrl(
  typed: string,
  { allowPrivate = false, isReachable = isGloballyReachable }: Allowed = {},
): CheckedUrl {
  if (typed.length > longestUrl) return { ok: false, problem: "too_long" };
  // a parser leaves out line breaks, and turns backslashes: what was typed would look like another host
  const url = /[\s\p{Cc}\\]/u.test(typed) ? null : URL.parse(typed);
  if (!url) return { ok: false, problem: "malformed" };
  const problem = problemOf(url, allowPrivate, isReachable);
  return problem ? { ok: false, problem } : { ok: true, url };
}

export type PrivateAllowed = boolean | "loopback";

export type Allowed = {
  allowPrivate?: PrivateAllowed;
  /** Which addresses are not private ones; tests allow some of this machine's. */
  isReachable?: (address: string) => boolean;
};

/** The host without an IPv6 address's brackets and a name's final full stop. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$|\.$/g, "");

function problemOf(
  url: URL,
  allowPrivate: PrivateAllowed,
  isReachable: (address: string) => boolean,
): UrlProblem | null {
  if (url.protocol !== "https:" && !(allowPrivate && url.protocol === "http:")) return "not_https";
  if (url.href.length > longestUrl) return "too_long";
  if (url.username !== "" || url.password !== "") return "credentials";
  if (url.href.includes("#")) return "fragment";
  if (url.port === "0") return "port";
  if (hostOf(url) === "") return "malformed";
  if (allowPrivate === "loopback") return isLoopbackHost(hostOf(url)) ? null : "not_this_machine";
  return allowPrivate || !isInner(hostOf(url), isReachable) ? null : "inner_address";
}

function isInner(host: string, isReachable: (address: string) => boolean): boolean {
  return isIP(host) ? !isReachable(host) : !host.includes(".") || innerName.test(host);
}

/** RFC 6761, RFC 6762, RFC 8375, and the name that ICANN keeps for private use. */
const innerName = /\.(localhost|local|internal|home\.arpa)$/;

/** Names that RFC 6761 §6.3 keeps for this machine, and its addresses. */
const isLoopbackHost = (host: string) =>
  isIP(host) ? isLoopback(host) : host === "localhost" || host.endsWith(".localhost");

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

export const isLoopback = (address: string): boolean =>
  loopback.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
