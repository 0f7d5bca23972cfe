import { createHash } from "node:crypto";
import { SignJWT } from "jose";
import type { Ctx } from "@/core/context";
import { signingKey } from "@/core/signing";
import type { Entitlement } from "./licence-verdict";

const day = 86_400_000;
/** For so long a token is as good as an answer. */
const validMilliseconds = 7 * day;
/** For so long after that the application may go on while the shop can't be reached. */
const graceMilliseconds = 14 * day;

export type Permit = { token: string; expiresAt: Date; graceUntil: Date; entitlement: Entitlement };

/** Names tokens of this kind, so that nothing else the shop signs can pass for one. */
const tokenAudience = "application";

/**
 * A signed token that the application checks without the network (EdDSA JWT, RFC 7519 and 8037). It ends
 * with the licence, grace included, so that being offline lengthens nothing.
 */
export async function permit(
  ctx: Ctx,
  issuer: string,
  holder: { accountId: string; hwid: string; entitlement: Entitlement },
): Promise<Permit> {
  const { accountId, hwid, entitlement } = holder;
  const now = ctx.now().getTime();
  const ends = entitlement.expiresAt?.getTime() ?? Number.MAX_SAFE_INTEGER;
  const expiresAt = new Date(Math.min(now + validMilliseconds, ends));
  const graceUntil = new Date(Math.min(now + validMilliseconds + graceMilliseconds, ends));
  const key = signingKey(ctx.secrets, "app-token");
  const token = await new SignJWT({
    device: deviceClaim(accountId, hwid),
    entitlement: {
      type: entitlement.type,
      expires: entitlement.expiresAt && seconds(entitlement.expiresAt),
    },
    grace_until: seconds(graceUntil),
  })
    .setProtectedHeader({ alg: "EdDSA", kid: key.id, typ: "JWT" })
    .setIssuer(issuer)
    .setAudience(tokenAudience)
    .setSubject(accountId)
    .setIssuedAt(seconds(new Date(now)))
    .setExpirationTime(seconds(expiresAt))
    .sign(key.privateKey);
  return { token, expiresAt, graceUntil, entitlement };
}

/** The public keys that tokens are checked with (JWK, RFC 7517 and 8037). */
export function tokenKeys(ctx: Ctx) {
  const { id, publicKey } = signingKey(ctx.secrets, "app-token");
  const { x = "" } = publicKey.export({ format: "jwk" });
  return [
    { kty: "OKP" as const, crv: "Ed25519" as const, x, kid: id, use: "sig" as const, alg: "EdDSA" as const },
  ];
}

/**
 * The device as the token names it. The application must be able to compute it again without the shop's
 * secret, so it is no keyed hash; the account's id keeps it from being the same in any two tokens.
 */
const deviceClaim = (accountId: string, hwid: string) =>
  createHash("sha256").update(`${accountId}\n${hwid}`).digest("base64url");

const seconds = (date: Date) => Math.floor(date.getTime() / 1000);
