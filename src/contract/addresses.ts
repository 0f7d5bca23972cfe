/** Unicode's default ignorable code points: invisible, so two addresses must not differ by them alone. */
const ignorable = /\p{Default_Ignorable_Code_Point}/gu;
/** Excludes invisible characters and those that could end a header or add a recipient. */
const mailable = /^[^\s\p{C}@"(),:;<>[\]\\]{1,64}@[^\s\p{C}@"'(),:;<>[\]\\]+$/u;
/** RFC 5321 §4.5.3.1.3: a path has at most 256 octets, including its angle brackets. */
const longest = 254;
/** RFC 1035 §2.3.4: a name of at most 253 characters, in labels of at most 63. */
const domainName = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/;
const isPlain = (text: string) => /^[\x20-\x7e]*$/.test(text);

/** Whether the mailer can write to an address: one plain mailbox. */
export const isMailable = (address: string): boolean =>
  mailable.test(address) && new TextEncoder().encode(address).length <= longest;

/**
 * The form for comparing addresses: local part in NFKC, domain in ASCII (UTS 46), all in lower case, without ignorable
 * characters. Any text has a key, so every typed or stored text can be looked up.
 */
export function addressKey(address: string): string {
  const { local, domain } = partsOf(address.trim());
  if (isPlain(local) && isPlain(domain) && !hasPunycode(domain)) return `${local}${domain}`.toLowerCase();
  return `${folded(local)}${asciiDomain(withoutIgnorable(domain.slice(1)), "@") ?? folded(domain)}`;
}

/**
 * The key of an address if SQL's `lower()` does not compute it; otherwise null. Payments store only these
 * keys, and compute the others.
 */
export const unusualKey = (address: string | null): string | null =>
  address === null || (isPlain(address) && !hasPunycode(address)) ? null : addressKey(address);

/**
 * A typed address in the form we store, with ordinary letters in place of wide, circled or decomposed ones. Null if
 * the mailer would refuse it.
 */
export function canonicalAddress(typed: string): string | null {
  const { local, domain } = partsOf(typed);
  const ascii = asciiDomain(domain.slice(1), "");
  if (ascii === null || typed.search(ignorable) >= 0) return null;
  const address = `${local.normalize("NFKC")}${domain.normalize("NFKC").replaceAll("。", ".")}`;
  return isMailable(address) && isMailable(wireAddress(address)) ? address : null;
}

/** A buyer's address as Stripe has it, which accepts almost anything that the buyer types. */
export const addressAtStripe = (email: string): string => canonicalAddress(withoutIgnorable(email)) ?? email;

/** The address to give a mail server, with its domain in ASCII. */
export function wireAddress(address: string): string {
  const { local, domain } = partsOf(address);
  return `${local}${asciiDomain(domain.slice(1), "@") ?? domain}`;
}

/** The domain begins with the last `@`. */
function partsOf(address: string) {
  const at = address.lastIndexOf("@");
  return at < 0 ? { local: address, domain: "" } : { local: address.slice(0, at), domain: address.slice(at) };
}

/** The domain by UTS 46, after `prefix`; null if no host can have that name. */
function asciiDomain(domain: string, prefix: string): string | null {
  // the URL parser would read these as a port, a path or an escape
  if (/[\p{Cc} !"#$%&'()*+,/:;<=>?@[\\\]^`{|}~]/u.test(domain)) return null;
  const ascii = isPlain(domain) && !hasPunycode(domain) ? domain.toLowerCase() : hostOf(domain);
  return domainName.test(ascii) ? `${prefix}${ascii}` : null;
}

/** As browsers read it: https://url.spec.whatwg.org/#concept-domain-to-ascii. Empty if it can't be one. */
const hostOf = (domain: string) => URL.parse(`http://${domain}`)?.hostname ?? "";

const hasPunycode = (text: string) => /xn--/i.test(text);
const withoutIgnorable = (text: string) => text.replace(ignorable, "");
/** Treats a final sigma as a sigma, and composes again, since lower-casing may undo NFKC. */
const folded = (text: string) =>
  withoutIgnorable(text.normalize("NFKC")).toLowerCase().replaceAll("ς", "σ").normalize("NFKC");
