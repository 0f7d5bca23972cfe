import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import type { Secrets } from "./secrets";

/** An Ed25519 key pair (RFC 8032); its id distinguishes it from earlier and later pairs. */
export type SigningKey = {
  id: string;
  /** The public key, as `x` in a JWK. */
  x: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
};

/** PKCS #8 around a bare Ed25519 seed of 32 bytes (RFC 8410 §7). */
const pkcs8 = Buffer.from("302e020100300506032b657004220420", "hex");

/** The version of the derivation; a later version can be used alongside it. */
const version = "v1";

type Purpose = "app-token" | "build-signing";

/** Deriving a pair takes longer than a signature. */
const derived = new WeakMap<Secrets, Partial<Record<Purpose, SigningKey>>>();

/** The key pair for one purpose; the same `SECRET_KEY` always gives the same pair. */
export function signingKey(secrets: Secrets, purpose: Purpose): SigningKey {
  const keys = derived.get(secrets) ?? {};
  derived.set(secrets, keys);
  return (keys[purpose] ??= derive(secrets, purpose));
}

function derive(secrets: Secrets, purpose: Purpose): SigningKey {
  const seed = secrets.mac(purpose, `ed25519:${version}`);
  const privateKey = createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: "der", type: "pkcs8" });
  const publicKey = createPublicKey(privateKey);
  const x = publicKey.export({ format: "jwk" }).x ?? "";
  return { id: `${version}-${x.slice(0, 8)}`, x, privateKey, publicKey };
}
