/** Unicode's default ignorable code points: invisible, so two addresses must not differ by them alone. */
const ignorable = /\p{Default_Ignorable_Code_Point}/gu;
/**
 * What a local part is made of: RFC 5322's `atext` without `%` and `!`, which route mail onwards, and letters, marks and
 * digits beyond ASCII (RFC 6531).
 */
const localAlphabet = /^[\p{L}\p{M}\p{Nd}#$&'*+/=?^_`{|}~.-]+$/u;
/** RFC 5321 §4.5.3.1.1, in octets. */
const longestLocal = 64;
/** What phones type for an apostrophe; NFKC makes one of the wide form. */
const apostrophes = /[\u2019\u02bc]/g;
/** RFC 5321 §4.5.3.1.3: a path has at most 256 octets, including its angle brackets. */
const longest = 254;
/** RFC 1035 §2.3.4: a name of at most 253 characters, in labels of at most 63. */
const domainName = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/;
const isPlain = (text: string) => /^[\x20-\x7e]*$/.test(text);

/**
 * Whether the mailer can write to an address: one plain mailbox. Dots may stand anywhere in it, as in some that Stripe
 * accepts.
 */
export function isMailable(address: string): boolean {
  const { local, domain } = partsOf(address);
  return (
    localAlphabet.test(local) &&
    !hasEncodedWord(local) &&
    octetsOf(local) <= longestLocal &&
    octetsOf(address) <= longest &&
    asciiDomain(domain.slice(1), "") !== null
  );
}

const octetsOf = (text: string) => new TextEncoder().encode(text).length;

/** Some mail programs decode it (RFC 2047), to another address. */
function hasEncodedWord(text: string): boolean {
  const begins = text.indexOf("=?");
  return begins >= 0 && text.includes("?=", begins + 2);
}

/**
 * The form for comparing addresses: local part in NFKC, domain in ASCII (UTS 46), all in lower case, without ignorable
 * characters. Any text has a key, so every typed or stored text can be looked up.
 */
export function addressKey(address: string): string {
  const { local, domain } = partsOf(address.trim());
  if (isPlain(local) && isPlain(domain) && !hasPunycode(domain)) return `${local}${domain}`.toLowerCase();
  return `${folded(plainLocal(local))}${asciiDomain(withoutIgnorable(domain.slice(1)), "@") ?? folded(domain)}`;
}

/**
 * The key of an address if SQL's `lower()` does not compute it; otherwise null. Payments store only these
 * keys, and compute the others.
 */
export const unusualKey = (address: string | null): string | null =>
  address === null || (isPlain(address) && !hasPunycode(address)) ? null : addressKey(address);

/**
 * A typed address in the form we store, with ordinary letters in place of wide, circled or decomposed ones. Null if
 * nobody can be identified by it: the mailer would refuse it, or its dots aren't those of a dot-atom (RFC 5322 §3.2.3).
 */
export function canonicalAddress(typed: string): string | null {
  const { local: typedLocal, domain } = partsOf(typed);
  if (typed.search(ignorable) >= 0) return null;
  const local = plainLocal(typedLocal);
  const address = `${local}${domain.normalize("NFKC").replaceAll("。", ".")}`;
  const hasOddDots = local.startsWith(".") || local.endsWith(".") || local.includes("..");
  return !hasOddDots && isMailable(address) && isMailable(wireAddress(address)) ? address : null;
}

const plainLocal = (typed: string) => typed.normalize("NFKC").replace(apostrophes, "'");

/**
 * A buyer's address as Stripe has it, which accepts almost anything that the buyer types; what identifies nobody stays
 * as it is, for mail.
 */
export const addressAtStripe = (email: string): string => canonicalAddress(withoutIgnorable(email)) ?? email;

/** The address to give a mail server, with its domain in ASCII. */
export function wireAddress(address: string): string {
  const { local, domain } = partsOf(address);
  return `${local}${asciiDomain(domain.slice(1), "@") ?? domain}`;
}

/** Distinguishes mailboxes by the spelling that a mail server gets, which may distinguish two of one {@link addressKey}. */
export const mailboxOf = (address: string): string => wireAddress(address).toLowerCase();

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
/** Composes again, since lower-casing may undo NFKC. */
const folded = (text: string) => withoutIgnorable(text.normalize("NFKC")).toLowerCase().normalize("NFKC");
