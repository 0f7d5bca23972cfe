import { lengthOfPassword, passwordLength, usernameRule } from "@/contract/vocabulary/account-rules";
import { looksLikeEmail } from "./save-rule";

/** Each field's rule, shown below it until it is broken. */
export const accountHints = {
  username: "3 to 32 letters, digits, or _ . -",
  email: "For receipts and recovery codes.",
  password: "8 to 128 characters, and not a common password.",
  key: "From your receipt, or the email with your gift.",
} as const;

type AccountInput = Record<keyof typeof accountHints, string>;

/** Every field of a registration that breaks its rule. Only the server knows taken names and common passwords. */
export function brokenRules({ username, email, password, key }: AccountInput): Partial<AccountInput> {
  return {
    ...brokenUsername(username),
    ...(!looksLikeEmail(email) && {
      email: email === "" ? "Enter your email" : "Enter a full email address, with an @ and a dot",
    }),
    ...brokenPassword(password),
    ...(key === "" && { key: "Enter your license key" }),
  };
}

/** The same for somebody who was invited to the staff, whose address is known. */
export const brokenInvited = ({ username, password }: Pick<AccountInput, "username" | "password">) => ({
  ...brokenUsername(username),
  ...brokenPassword(password),
});

const brokenUsername = (username: string) =>
  usernameRule.test(username)
    ? {}
    : { username: username === "" ? "Choose a username" : `Use ${accountHints.username}` };

function brokenPassword(password: string): { password?: string } {
  const { least, most } = passwordLength;
  if (password === "") return { password: "Choose a password" };
  const length = lengthOfPassword(password);
  if (length < least) return { password: `Use at least ${least} characters` };
  return length > most ? { password: `Use at most ${most} characters` } : {};
}
