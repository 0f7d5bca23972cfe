import type { SecurityEvent } from "@/domain/mail/letter";

type Words = { title: string; happened: string; otherwise: string };

const takeBack =
  "If it was not you, reset your password with 'Forgot password' on the sign-in page and write to us.";
const writeToUs = "If it was not you, write to us at once.";

/** The text of each event's notice; `otherwise` is for a reader who did not do it themselves. */
export const securityWords: Record<SecurityEvent, Words> = {
  "password-changed": {
    title: "Your password was changed",
    happened: "The password of your account was changed, and every other session was signed out.",
    otherwise: takeBack,
  },
  "email-changed": {
    title: "Your email address was changed",
    happened: "Your account now uses another email address. Emails about it no longer come here.",
    otherwise: writeToUs,
  },
  "email-change-undone": {
    title: "A change of your email address was undone",
    happened:
      "The last change of your account's email address was undone, and the previous address is back in use.",
    otherwise: writeToUs,
  },
  "email-change-kept": {
    title: "Your email change is final",
    happened:
      "The change of your account's email address was confirmed with a two-factor code, and can no longer be undone from the previous address.",
    otherwise: writeToUs,
  },
  "mfa-enabled": {
    title: "Two-factor sign-in was turned on",
    happened: "Signing in to your account now asks for a code from an authenticator app.",
    otherwise: writeToUs,
  },
  "mfa-removed": {
    title: "Two-factor sign-in was turned off",
    happened: "Signing in to your account no longer asks for a code from an authenticator app.",
    otherwise: takeBack,
  },
  "token-reset": {
    title: "Your auth token was reset",
    happened:
      "Your account has a new auth token. The old one no longer works and applications were signed out.",
    otherwise: takeBack,
  },
  "device-reset": {
    title: "Your hardware ID was reset",
    happened:
      "Your account is no longer bound to a computer. It will be bound to the next one you sign in on.",
    otherwise: takeBack,
  },
  recovered: {
    title: "Your password was reset",
    happened:
      "The password of your account was reset with a code sent to this address, and every session was signed out.",
    otherwise: takeBack,
  },
  "account-deleted": {
    title: "Your account was deleted",
    happened: "Your account and everything stored with it were deleted. This is the last email about it.",
    otherwise: writeToUs,
  },
  "recovery-codes-used": {
    title: "A recovery code was used",
    happened:
      "A recovery code was used in place of a code from your authenticator app. It will not work again.",
    otherwise: takeBack,
  },
};
