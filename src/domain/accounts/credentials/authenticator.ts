import { generate, generateSecret, generateURI, verify } from "otplib";
import { brand } from "@/brand/brand";

/** Codes one time step early or late are accepted too: clocks drift and typing takes time (RFC 6238 §5.2). */
const toleranceSeconds = 30;

/** A new secret in base32, 160 bits. */
export const newAuthenticatorSecret = () => generateSecret();

/** The URI in the QR code. */
export const otpauthUri = (username: string, secret: string) =>
  generateURI({ issuer: brand.product, label: username, secret });

/** The time step for which the six digits are valid, or null (RFC 6238). */
export async function timeStepOf(secret: string, code: string, now: Date): Promise<number | null> {
  if (!isSixDigits(code)) return null;
  const epoch = Math.floor(now.getTime() / 1000);
  const result = await verify({ secret, token: code, epoch, epochTolerance: toleranceSeconds });
  return result.valid && "timeStep" in result ? result.timeStep : null;
}

/** The code of the time step before `now`. */
export const codeBefore = (secret: string, now: Date): Promise<string> =>
  generate({ secret, epoch: Math.floor(now.getTime() / 1000) - toleranceSeconds });

/** otplib throws on anything else. */
const isSixDigits = (code: string) => /^\d{6}$/.test(code);
