import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import { chmod, link, mkdir, open, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";

/** What a derived key is for. Each purpose has an independent key. */
export type Purpose =
  | "licence-key"
  | "licence-lookup"
  | "order-seal"
  | "device"
  | "device-token"
  | "sealing"
  | "installation"
  | "address"
  | "recovery"
  | "app-token"
  | "build-signing"
  | "known-browser"
  | "mailed-link"
  | "discord-link"
  | "ours";

/** Purposes of hashes whose plain texts are gone, so replacing the secret keeps their keys, encrypted. */
const keptPurposes = ["device", "device-token", "recovery", "mailed-link"] as const;
/** The keys for these purposes derived from one earlier secret, as base64. */
export type RetainedKeys = Record<(typeof keptPurposes)[number], string>;

/** All cryptography at rest, with keys derived from `SECRET_KEY` (HKDF-SHA256, RFC 5869). */
export type Secrets = {
  /** HMAC-SHA256 of a text with the purpose's key, 32 bytes. */
  mac(purpose: Purpose, text: string): Buffer;
  /** {@link mac} as base64url: stored to look something up. */
  fingerprint(purpose: Purpose, text: string): string;
  /** The fingerprint, then those that earlier rows may hold: of the previous secret, and of retained keys. */
  fingerprints(purpose: Purpose, text: string): string[];
  /** AES-256-GCM. Opening needs the same `context`, so opening fails for a value copied to another row. */
  seal(text: string, context: string): string;
  /** Opens what {@link seal} made; throws if the text, context or key differs. */
  open(sealed: string, context: string): string;
  /** The prefix of everything sealed with this secret, which the previous secret's lacks. */
  keyPrefix: string;
  /** The previous secret, with which data may still be sealed during a rotation. */
  before: Secrets | null;
  /** The keys to keep when another secret replaces this one. */
  retainedKeys(): RetainedKeys;
};

/** The prefix of sealed values; after a rotation, the key's name follows it. */
const version = "v1";

type SecretHistory = {
  /** Whether this secret replaced another. */
  successor?: boolean;
  before?: Secrets | null;
  kept?: RetainedKeys[];
};

export function createSecrets(
  root: Uint8Array,
  { successor = false, before = null, kept = [] }: SecretHistory = {},
): Secrets {
  const keys = new Map<Purpose, Buffer>();
  const keyFor = (purpose: Purpose) => {
    const known = keys.get(purpose);
    if (known) return known;
    const key = Buffer.from(hkdfSync("sha256", root, "latchkey", `${version}:${purpose}`, 32));
    keys.set(purpose, key);
    return key;
  };
  const mac = (purpose: Purpose, text: string) => macUnder(keyFor(purpose), text);
  const fingerprint = (purpose: Purpose, text: string) => mac(purpose, text).toString("base64url");
  const name = mac("installation", "seal-name").subarray(0, 6).toString("hex");
  const keyPrefix = successor ? `${version}-${name}` : version;
  return {
    mac,
    fingerprint,
    fingerprints(purpose, text) {
      const earlier = isKept(purpose)
        ? kept.map((one) => macUnder(Buffer.from(one[purpose], "base64"), text).toString("base64url"))
        : [];
      return [
        ...new Set([fingerprint(purpose, text), ...(before?.fingerprints(purpose, text) ?? []), ...earlier]),
      ];
    },
    seal(text, context) {
      const iv = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", keyFor("sealing"), iv).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return `${keyPrefix}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64url")}`;
    },
    open(sealed, context) {
      const [mark, blob] = sealed.split(".");
      if (before && mark !== keyPrefix) return before.open(sealed, context);
      if (mark !== keyPrefix || !blob) throw new Error("sealed with an unknown key version");
      const bytes = Buffer.from(blob, "base64url");
      const decipher = createDecipheriv("aes-256-gcm", keyFor("sealing"), bytes.subarray(0, 12))
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8");
    },
    keyPrefix: keyPrefix,
    before,
    retainedKeys: () => ({
      device: keyFor("device").toString("base64"),
      "device-token": keyFor("device-token").toString("base64"),
      recovery: keyFor("recovery").toString("base64"),
      "mailed-link": keyFor("mailed-link").toString("base64"),
    }),
  };
}

const macUnder = (key: Buffer, text: string) => createHmac("sha256", key).update(text).digest();
const isKept = (purpose: Purpose): purpose is keyof RetainedKeys =>
  keptPurposes.some((one) => one === purpose);

/** What a shop with these secrets answers to a nonce at `/api/ours`. */
export const proofOf = (secrets: Pick<Secrets, "mac">, nonce: string): string =>
  secrets.mac("ours", nonce).toString("hex");

/** A random token of 256 bits for a cookie or an API key, as base64url. */
export const randomToken = () => randomBytes(32).toString("base64url");

/** Compares two texts in a time that doesn't reveal where they differ. */
export function sameSecret(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Stored for a random token: its plain SHA-256, since the token itself has enough entropy. */
export const tokenHash = (token: string) => createHash("sha256").update(token).digest("base64url");

/**
 * The key file of a data directory, created on first use with mode 0600. Written to a temporary file, flushed and
 * linked into place, so that neither a crash nor a second process leaves half a key.
 */
export async function keptSecretKey(dataDir: string): Promise<Uint8Array> {
  const path = join(dataDir, "secret.key");
  const kept = await readKey(path);
  if (kept) return kept;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const aside = `${path}.${process.pid}.new`;
  const file = await open(aside, "wx", 0o600);
  try {
    await file.writeFile(randomBytes(32).toString("base64"));
    await file.sync();
    await link(aside, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  } finally {
    await file.close();
    await unlink(aside);
  }
  await chmod(path, 0o600);
  const made = await readKey(path);
  if (!made) throw new Error("the key file could not be read back");
  return made;
}

async function readKey(path: string): Promise<Uint8Array | null> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return null;
  const key = new Uint8Array(Buffer.from(text.trim(), "base64"));
  if (key.length !== 32) throw new Error(`${path} does not hold 32 bytes in base64`);
  return key;
}
