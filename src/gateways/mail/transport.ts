import { lookup } from "node:dns/promises";
import { BlockList, isIPv6 } from "node:net";
import type { SMTPTransportOptions } from "nodemailer";

/**
 * Connection options for the server in the URL. Sends a login to another machine only over TLS, even if the server, or
 * an attacker in between, does not offer it; `?requireTLS=false` in the URL lifts that for a trusted network. Emails
 * can't load files or URLs.
 */
export function transportOptions(smtpUrl: string): SMTPTransportOptions {
  return {
    requireTLS: loginNeedsTls(new URL(smtpUrl)),
    disableFileAccess: true,
    disableUrlAccess: true,
    // last, because nodemailer lets the URL override the options above
    url: smtpUrl,
  };
}

/**
 * {@link transportOptions} after looking up the server's address. On this machine and in a private network, accepts
 * any certificate unless the URL demands TLS: a relay there, such as Debian's Postfix, signs its own, and without TLS
 * the email would go in the clear.
 */
export async function connectOptions(smtpUrl: string): Promise<SMTPTransportOptions> {
  const takesAny = !demandsTls(new URL(smtpUrl)) && (await isNearby(new URL(smtpUrl).hostname));
  return { ...transportOptions(smtpUrl), ...(takesAny ? { tls: { rejectUnauthorized: false } } : {}) };
}

const loginNeedsTls = ({ username, hostname }: URL) => username !== "" && !isLoopback(hostname);

/** Whether the URL demands a secure connection or says how to secure it. */
function demandsTls(url: URL): boolean {
  const asked = [...url.searchParams.keys()].some((name) => name.startsWith("tls."));
  const required = url.searchParams.get("requireTLS");
  const needed = required === null ? loginNeedsTls(url) : required !== "false";
  return url.protocol === "smtps:" || asked || needed;
}

function isLoopback(hostname: string) {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}

/** Whether all of the host's addresses are this machine's own or private ones. */
async function isNearby(hostname: string): Promise<boolean> {
  const addresses = await lookup(hostname.replace(/^\[|\]$/g, ""), { all: true });
  return addresses.every(({ address }) => nearby.check(address, isIPv6(address) ? "ipv6" : "ipv4"));
}

/** Loopback, private use (RFC 1918, RFC 4193) and link-local. */
const nearby = new BlockList();
for (const [network, bits] of [
  ["127.0.0.0", 8],
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["169.254.0.0", 16],
] as const) {
  nearby.addSubnet(network, bits, "ipv4");
}
nearby.addAddress("::1", "ipv6");
nearby.addSubnet("fc00::", 7, "ipv6");
nearby.addSubnet("fe80::", 10, "ipv6");
