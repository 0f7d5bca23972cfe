import { isIP } from "node:net";

export type Address = { address: string; family: 4 | 6 };
export type Unresolved = { why: "name_not_found" | "name_unanswered"; detail: string };

/** All addresses of a host, at least one, in the order to try them; an address is its own. Never rejects. */
export type LookUp = (host: string) => Promise<Address[] | Unresolved>;

/**
 * By c-ares, on no thread: `dns.lookup` waits in the threads that also read files and hash passwords, and there two
 * names whose servers are dead held both up for ten seconds (Bun 1.4.5). It reads /etc/hosts too, and
 * /etc/resolv.conf once in the life of the process.
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
