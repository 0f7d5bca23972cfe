import { BlockList } from "node:net";
import type { SMTPTransportOptions } from "nodemailer";
import { second } from "@/contract/vocabulary/time";
import { withTimeout } from "@/core/base/with-timeout";
import { lookUp, type LookUp } from "@/core/base/look-up";

/**
 * The name that a shop greets mail servers with (RFC 5321 §4.1.1.1): its own host, if that is a name on the internet.
 * Without one Nodemailer takes the machine's, and `[127.0.0.1]` where that has no dot, as in containers: strict servers
 * refuse it.
 */
export function helloName({ hostname }: URL): string | undefined {
  return /^[a-z\d-]+(\.[a-z\d-]+)*\.[a-z][a-z\d-]*$/.test(hostname) ? hostname : undefined;
}

type LookUpOptions = {
  hello?: string | undefined;
  /** Called once. */
  look?: LookUp;
  /** How long that may take. */
  milliseconds?: number;
};

/**
 * Connection options for the server in the URL. Sends a login to another machine only over TLS, even if the server, or
 * an attacker in between, does not offer it; `?requireTLS=false` in the URL lifts that for a trusted network. Emails
 * can't load files or URLs. `hello`: the name that the shop greets the server with, unless the URL has `?name=`.
 */
export function transportOptions(smtpUrl: string, hello?: string): SMTPTransportOptions {
  return {
    ...(hello === undefined ? {} : { name: hello }),
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
 * the email would go in the clear. Fails if the name isn't found, or the resolver doesn't answer.
 */
export async function connectOptions(
  smtpUrl: string,
  { hello, look = lookUp, milliseconds = 10 * second }: LookUpOptions = {},
): Promise<SMTPTransportOptions> {
  const url = new URL(smtpUrl);
  const takesAny = !demandsTls(url) && (await withTimeout(milliseconds, isNearby(url.hostname, look)));
  return { ...transportOptions(smtpUrl, hello), ...(takesAny ? { tls: { rejectUnauthorized: false } } : {}) };
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
async function isNearby(hostname: string, look: LookUp): Promise<boolean> {
  const found = await look(hostname.replace(/^\[|\]$/g, ""));
  if (!Array.isArray(found)) throw Object.assign(new Error(found.detail), { code: codes[found.why] });
  return found.every(({ address, family }) => nearby.check(address, family === 6 ? "ipv6" : "ipv4"));
}

/** The codes of `getaddrinfo`, which nodemailer has too. */
const codes = { name_not_found: "ENOTFOUND", name_unanswered: "EAI_AGAIN" };

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
