import { generate, generateSecret, generateURI, verify } from "otplib";
import { brand } from "@/brand/brand";

/** A code of the step before or after is taken too: clocks differ, and people type (RFC 6238 §5.2). */
const toleranceSeconds = 30;

/** A new secret in base32, 160 bits. */
export const newAuthenticatorSecret = () => generateSecret();

/** What the QR code says to an authenticator app. */
export const otpauthUri = (username: string, secret: string) =>
  generateURI({ issuer: brand.product, label: username, secret });

/** The time step that six digits are right for, or null when they are wrong (RFC 6238). */
export async function stepOfCode(secret: string, code: string, now: Date): Promise<number | null> {
  if (!isSixDigits(code)) return null;
  const epoch = Math.floor(now.getTime() / 1000);
  const result = await verify({ secret, token: code, epoch, epochTolerance: toleranceSeconds });
  return result.valid && "timeStep" in result ? result.timeStep : null;
}

/** What an authenticator showed one step before `now`. */
export const codeBefore = (secret: string, now: Date): Promise<string> =>
  generate({ secret, epoch: Math.floor(now.getTime() / 1000) - toleranceSeconds });

/** otplib throws on anything else. */
const isSixDigits = (code: string) => /^\d{6}$/.test(code);
