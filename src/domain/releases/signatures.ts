import { createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import type { Ctx } from "@/core/context";
import { signingKey } from "@/core/signing";

/**
 * A build's signature is Ed25519 over the 64 bytes of its SHA-512, so that signer and verifier can read
 * the file in chunks: `openssl dgst -sha512 -binary FILE > digest`, then
 * `openssl pkeyutl -verify -rawin -pubin -inkey KEY -in digest -sigfile SIGNATURE`.
 */
export const signDigest = (sha512: Buffer, key: KeyObject): Buffer => sign(null, sha512, key);

export const signatureFits = (sha512: Buffer, signature: Buffer, key: KeyObject): boolean =>
  signature.length === 64 && verify(null, sha512, key, signature);

/** The shop's own key for builds, derived from its secret. */
export const shopBuildKey = (ctx: Ctx) => signingKey(ctx.secrets, "build-signing");

/** A public key as PEM, the form openssl and the release's answer use. */
export const asPem = (key: KeyObject) => key.export({ format: "pem", type: "spki" });

export const publicKeyFromPem = (pem: string) => createPublicKey(pem);
