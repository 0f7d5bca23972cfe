import type { Me } from "@/contract/accounts";

export type EmailTyped = { email: string; password: string; security_code: string };

/** Whether there is something to save, and all that is needed for it (the username never changes). */
export function maySave(user: Pick<Me, "email" | "mfa">, typed: EmailTyped): boolean {
  if (typed.password === "") return false;
  if (typed.email.trim() === user.email) return false;
  return !user.mfa || typed.security_code.length === 6;
}

/** Enough to catch a slip; whether it is an address, the mail server knows. */
export const looksLikeEmail = (text: string) => text.includes("@") && text.includes(".");
