/**
 * Verifies the shop's signed tokens offline. No dependencies: WebCrypto supports Ed25519 in Node 20 and later,
 * Bun, Electron and current browsers.
 */

/** A public key as the shop's `keys` call returns it (JWK, RFC 8037). */
export type PublicKey = { kty: string; crv: string; x: string; kid: string };

/** A verified token's claims. Times are Unix seconds. */
export type Claims = {
  iss: string;
  aud: string;
  /** The account's id. */
  sub: string;
  iat: number;
  exp: number;
  /** Until then the application may run although the token has expired. */
  grace_until: number;
  /** SHA-256 of account and hardware ID, base64url. */
  device: string;
  entitlement: { type: string; expires: number | null };
};

/** Why a token is not accepted. */
export type Doubt = "no_token" | "altered" | "unknown_key" | "other_device" | "clock" | "ended";

export type Checked = { claims: Claims; grace: boolean } | { doubt: Doubt };

/** Tolerance for clock differences; rejects a clock set back further than this. */
const leewaySeconds = 5 * 60;

export type Question = {
  token: string | null;
  keys: readonly PublicKey[];
  hwid: string;
  /** Unix seconds. */
  now: number;
  /** The latest time ever seen on this machine, in Unix seconds; reveals a clock that was set back. */
  latestSeen: number;
};

/** Whether a token entitles this machine now; `grace` if it has expired but its grace period has not. */
export async function checkToken({ token, keys, hwid, now, latestSeen }: Question): Promise<Checked> {
  if (!token) return { doubt: "no_token" };
  const opened = await open(token, keys);
  if ("doubt" in opened) return opened;
  const { claims } = opened;
  if (claims.aud !== "application") return { doubt: "altered" };
  if (claims.device !== (await deviceOf(claims.sub, hwid))) return { doubt: "other_device" };
  if (now < claims.iat - leewaySeconds || now < latestSeen - leewaySeconds) return { doubt: "clock" };
  if (now >= claims.grace_until) return { doubt: "ended" };
  return { claims, grace: now >= claims.exp };
}

/** The id of the key with which a token claims to be signed; null if it is not a token. */
export function keyIdOf(token: string): string | null {
  const header = readPart(token.split(".")[0] ?? "");
  return typeof header?.["kid"] === "string" && header["alg"] === "EdDSA" ? header["kid"] : null;
}

async function open(
  token: string,
  keys: readonly PublicKey[],
): Promise<{ claims: Claims } | { doubt: Doubt }> {
  const [header = "", payload = "", signature = "", ...more] = token.split(".");
  const id = keyIdOf(token);
  if (id === null || more.length > 0) return { doubt: "altered" };
  const jwk = keys.find((key) => key.kid === id);
  if (!jwk) return { doubt: "unknown_key" };
  const { kty, crv, x } = jwk;
  const key = await crypto.subtle.importKey("jwk", { kty, crv, x }, "Ed25519", false, ["verify"]);
  const signed = new TextEncoder().encode(`${header}.${payload}`);
  const bytes = fromBase64url(signature);
  const fits = bytes !== null && (await crypto.subtle.verify("Ed25519", key, bytes, signed));
  const claims = fits ? readPart(payload) : null;
  return claims ? { claims: claims as Claims } : { doubt: "altered" };
}

async function deviceOf(account: string, hwid: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${account}\n${hwid}`));
  return btoa(String.fromCharCode(...new Uint8Array(digest)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

function readPart(part: string): Record<string, unknown> | null {
  try {
    const bytes = fromBase64url(part);
    return bytes ? JSON.parse(new TextDecoder().decode(bytes)) : null;
  } catch {
    return null;
  }
}

function fromBase64url(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w-]+$/.test(text)) return null;
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
