import { createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { and, eq, isNull } from "drizzle-orm";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { signingKey } from "@/core/secrets/signing";
import { builds, releases } from "../schema/releases";
import type { Build } from "./current";

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

type SignedRelease = { builds: Pick<Build, "sha512" | "signature">[] };

/** The public key that verifies the shop's signatures of a release: until they are replaced, the previous secret's. */
export function shopKeyOf(ctx: Ctx, { builds: [build] }: SignedRelease): KeyObject {
  const { publicKey } = shopBuildKey(ctx);
  const { before } = ctx.secrets;
  if (!before || !build || isSignedWith(build, publicKey)) return publicKey;
  return signingKey(before, "build-signing").publicKey;
}

const isSignedWith = ({ sha512, signature }: SignedRelease["builds"][number], key: KeyObject): boolean =>
  signatureFits(Buffer.from(sha512, "base64"), Buffer.from(signature, "base64"), key);

/**
 * Replaces the signatures that the shop itself made under an earlier secret, one release at a time. Builds that
 * publishers signed with their own keys stay as they are.
 */
export async function replaceSignatures(ctx: Ctx): Promise<void> {
  const { db } = ctx.store;
  const key = shopBuildKey(ctx);
  const own = await db
    .select({ build: builds })
    .from(builds)
    .innerJoin(releases, eq(releases.id, builds.releaseId))
    .where(isNull(releases.signingKey));
  const stale = own.filter(({ build }) => !isSignedWith(build, key.publicKey));
  for (const id of new Set(stale.map(({ build }) => build.releaseId))) {
    const ofRelease = stale.filter(({ build }) => build.releaseId === id);
    await commit(
      ctx.store,
      ofRelease.map(({ build }) =>
        db
          .update(builds)
          .set({
            signature: signDigest(Buffer.from(build.sha512, "base64"), key.privateKey).toString("base64"),
          })
          .where(
            and(
              eq(builds.releaseId, id),
              eq(builds.platform, build.platform),
              eq(builds.signature, build.signature),
            ),
          ),
      ),
    );
  }
}

/** A public key as PEM, the form openssl and the release's answer use. */
export const asPem = (key: KeyObject) => key.export({ format: "pem", type: "spki" });

export const publicKeyFromPem = (pem: string) => createPublicKey(pem);
