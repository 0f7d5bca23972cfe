import type { Me } from "@/contract/wire/accounts";

export type EmailTyped = { email: string; password: string; security_code: string };

/** Whether there is something to save and every required field is filled (the username never changes). */
export function maySave(user: Pick<Me, "email" | "mfa">, typed: EmailTyped): boolean {
  if (typed.password === "") return false;
  if (typed.email.trim() === user.email) return false;
  return !user.mfa || typed.security_code.length === 6;
}

/** Enough to catch a typo; only the mail server knows whether the address exists. */
export const looksLikeEmail = (text: string) => text.includes("@") && text.includes(".");
