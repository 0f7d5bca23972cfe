import { isIP } from "node:net";

export type Address = { address: string; family: 4 | 6 };
export type Unresolved = { why: "name_not_found" | "name_unanswered"; detail: string };

/** All addresses of a host, at least one, in the order to try them. Returns an address unchanged. Never rejects. */
export type LookUp = (host: string) => Promise<Address[] | Unresolved>;

/**
 * Uses c-ares, which needs no thread: `dns.lookup` waits in the threads that also read files and hash passwords, and
 * two names with dead servers held both up for ten seconds (Bun 1.4.5). c-ares also reads /etc/hosts, and reads
 * /etc/resolv.conf once per process.
 */
export const lookUp: LookUp = async (host) => {
  const version = isIP(host);
  if (version === 4 || version === 6) return [{ address: host, family: version }];
  try {
    const found = await Bun.dns.lookup(host, { backend: "c-ares" });
    return found.length > 0 ? found.map(({ address, family }) => ({ address, family })) : notFound("");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    return absent.test(code) ? notFound(code) : { why: "name_unanswered", detail: code };
  }
};

const notFound = (detail: string): Unresolved => ({ why: "name_not_found", detail });
const absent = /ENOTFOUND|ENODATA|EBADNAME/;
