import { createHash, sign as signBytes } from "node:crypto";
import { day } from "@/contract/vocabulary/time";
import type { Ctx } from "@/core/database/context";
import { retiredTokenKeys } from "@/core/database/open-secrets";
import { signingKey } from "@/core/secrets/signing";
import type { Entitlement } from "./seat-entitlement";

/** How long a token is valid. */
const validMilliseconds = 7 * day;
/** How much longer the application may run while it can't reach the shop. */
const graceMilliseconds = 14 * day;

export type OfflineToken = { token: string; expiresAt: Date; graceUntil: Date; entitlement: Entitlement };

/** The type of these tokens, so that nothing else the shop signs can pass for one. */
const tokenAudience = "application";

/**
 * A signed token that the application verifies offline (EdDSA JWT, RFC 7519 and 8037). It ends with the licence,
 * grace included, so staying offline gains nothing.
 */
export function issueOfflineToken(
  ctx: Ctx,
  issuer: string,
  holder: { accountId: string; hwid: string; entitlement: Entitlement },
): OfflineToken {
  const { accountId, hwid, entitlement } = holder;
  const now = ctx.now().getTime();
  const expiresAt = endWithLicence(now + validMilliseconds, entitlement);
  const graceUntil = endWithLicence(now + validMilliseconds + graceMilliseconds, entitlement);
  const token = sign(ctx, issuer, {
    accountId,
    computer: hwid,
    entitlement,
    now,
    expiresAt,
    graceUntil,
  });
  return { token, expiresAt, graceUntil, entitlement };
}

/**
 * The same token for a computer that is never online, as a file. It has no grace, and knows the computer by its
 * `hwid_hash`.
 */
export function issueOfflineFile(
  ctx: Ctx,
  issuer: string,
  holder: { accountId: string; hwidHash: string; entitlement: Entitlement; now: number; until: Date },
): string {
  const { accountId, hwidHash, entitlement, now, until } = holder;
  const ends = { expiresAt: until, graceUntil: until };
  return inArmour(sign(ctx, issuer, { accountId, computer: hwidHash, entitlement, now, ...ends }));
}

/** Folded at 64 characters, so that mail programs and editors leave it as it is. */
const inArmour = (token: string): string =>
  ["-----BEGIN LICENSE FILE-----", ...(token.match(/.{1,64}/g) ?? []), "-----END LICENSE FILE-----", ""].join(
    "\n",
  );

/** Not later than the licence lasts. */
export const endWithLicence = (milliseconds: number, { expiresAt }: Pick<Entitlement, "expiresAt">): Date =>
  new Date(Math.min(milliseconds, expiresAt?.getTime() ?? Number.MAX_SAFE_INTEGER));

type Claims = {
  accountId: string;
  computer: string;
  entitlement: Entitlement;
  now: number;
  expiresAt: Date;
  graceUntil: Date;
};

/** A compact JWS (RFC 7515 §3.1), made by hand: a library of WebCrypto takes three times as long. */
function sign(ctx: Ctx, issuer: string, { accountId, computer, entitlement, now, ...ends }: Claims): string {
  const { id, privateKey } = signingKey(ctx.secrets, "app-token");
  const claims = {
    device: deviceClaim(accountId, computer),
    entitlement: {
      type: entitlement.level.id,
      expires: entitlement.expiresAt && seconds(entitlement.expiresAt),
    },
    level: entitlement.level.id,
    features: Object.fromEntries(
      [...entitlement.features].map(([slug, until]) => [
        slug,
        seconds(new Date(Math.min(until, ends.graceUntil.getTime()))),
      ]),
    ),
    grace_until: seconds(ends.graceUntil),
    iss: issuer,
    aud: tokenAudience,
    sub: accountId,
    iat: seconds(new Date(now)),
    exp: seconds(ends.expiresAt),
  };
  const signed = `${encoded({ alg: "EdDSA", kid: id, typ: "JWT" })}.${encoded(claims)}`;
  return `${signed}.${signBytes(null, Buffer.from(signed), privateKey).toString("base64url")}`;
}

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");

/** The public keys that verify tokens, the current one first (JWK, RFC 7517 and 8037). */
export async function tokenKeys(ctx: Ctx) {
  const keys = [signingKey(ctx.secrets, "app-token"), ...(await retiredTokenKeys(ctx))];
  return keys.map(({ id, x }) => ({
    kty: "OKP" as const,
    crv: "Ed25519" as const,
    x,
    kid: id,
    use: "sig" as const,
    alg: "EdDSA" as const,
  }));
}

/**
 * The device hash in the token. The application must compute it without the shop's secret, so it isn't keyed;
 * the account's id makes it differ from account to account.
 */
const deviceClaim = (accountId: string, computer: string) =>
  createHash("sha256").update(`${accountId}\n${computer}`).digest("base64url");

const seconds = (date: Date) => Math.floor(date.getTime() / 1000);
