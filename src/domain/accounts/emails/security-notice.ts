import { utcTime } from "@/contract/vocabulary/dates";
import type { securityNotices } from "@/contract/vocabulary/security-events";
import { z } from "zod";
import { type Block, button, type Fact, facts, heading, link, paragraph, quiet } from "../../mail/blocks";
import type { Email } from "../../mail/email";
import { oneLine } from "../../mail/format";
import { emailTemplate } from "../../mail/template";

/**
 * Not among them: an added computer, which has its own email, several computers removed together, and a deleted account.
 */
export type SecurityEvent =
  | Exclude<(typeof securityNotices)[keyof typeof securityNotices], "device-added">
  | "devices-removed"
  | "account-deleted";

type Words = { title: string; happened: string; otherwise: string };

const recoverAndWrite = "reset your password with “Forgot password” on the sign-in page and write to us.";
const takeBack = `If this wasn't you, ${recoverAndWrite}`;
const writeToUs = "If this wasn't you, write to us right away.";

/** The text of each event's notice; `otherwise` is for a reader who did not make the change. */
const words: Record<SecurityEvent, Words> = {
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
  "email-change-asked": {
    title: "Another email address was entered for your account",
    happened:
      "Someone who knows your password asked to change the email address of your account. This one stays until the new one is confirmed.",
    otherwise: takeBack,
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
      "Your account has a new auth token. The old one no longer works, and applications that used it were signed out.",
    otherwise: takeBack,
  },
  "device-reset": {
    title: "Your hardware ID was reset",
    happened:
      "Your account is no longer bound to a computer. The next computer you sign in on is added automatically.",
    otherwise: takeBack,
  },
  "devices-removed": {
    title: "Computers were removed from your account",
    happened:
      "One or more computers were removed from your account, and the application stops working there. You can now add other computers.",
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
    happened: "A recovery code was used in place of a code from your authenticator app. It won't work again.",
    otherwise: takeBack,
  },
  "discord-connected": {
    title: "A Discord user was connected to your account",
    happened:
      "A Discord user was connected to your account, which lets that user read your tickets and hold your role in the server.",
    otherwise: `If this wasn't you, disconnect it in your settings, ${recoverAndWrite}`,
  },
};

export const securityNoticeKinds = Object.keys(words) as SecurityEvent[];

const payload = z.object({
  accountId: z.string(),
  to: z.string(),
  what: z.enum(securityNoticeKinds),
  at: z.coerce.date<string>(),
  address: z.string(),
  device: z.string(),
  newEmail: z.string().optional(),
  codesLeft: z.number().optional(),
  recoversUntil: z.coerce.date<string>().optional(),
});
export type PostedNotice = z.input<typeof payload>;

/** What happened to an account, sent to the address that it had at the time. */
export const securityNoticeEmail = emailTemplate({
  name: "mail.security-notice",
  payload,
  dropWhenOff: true,
  async prepare(_, { subject, payload: notice }, { publicUrl }) {
    const { what, to, accountId } = notice;
    return {
      to,
      id: `${what}.${subject}`,
      email: writeSecurityNotice({
        ...notice,
        recoverUrl: new URL("/forgot-pass", publicUrl).href,
        sessionsUrl: new URL("/dashboard/settings#security", publicUrl).href,
      }),
      about: { subject: accountId, accountId },
    };
  },
});

type Content = {
  what: SecurityEvent;
  at: Date;
  /** The network address of the request. */
  address?: string | undefined;
  /** The browser or computer of the request, in words. */
  device?: string | undefined;
  /** `email-changed`: the new address. */
  newEmail?: string | undefined;
  /** `recovery-codes-used`: how many are left. */
  codesLeft?: number | undefined;
  /** `email-changed`: until when the recipient's address still recovers the account, and where. */
  recoversUntil?: Date | undefined;
  recoverUrl: string;
  /** Where the owner sees and ends sessions. */
  sessionsUrl: string;
};

export function writeSecurityNotice(content: Content): Email {
  const { title, happened, otherwise } = words[content.what];
  return {
    kind: "security-notice",
    subject: title,
    preheader: happened,
    blocks: [
      heading(title),
      paragraph(happened),
      ...actionsOf(content),
      facts(...factsOf(content)),
      quiet(otherwise),
    ],
    why: "You're receiving this because it's about the security of your account.",
  };
}

/** The one button: to take the account back if that is possible, or else to see who is signed in. */
function actionsOf({ what, recoversUntil, recoverUrl, sessionsUrl }: Content): Block[] {
  if (!recoversUntil) return what === "account-deleted" ? [] : [button(checkSessions, sessionsUrl)];
  return [
    paragraph(
      `Until ${utcTime(recoversUntil)}, “Forgot password” gets your account back with this address and a new password. If two-factor was on for more than three days, you'll also need its code.`,
    ),
    button("Forgot password", recoverUrl),
    link(checkSessions, sessionsUrl, "Not sure who is signed in?"),
  ];
}

const checkSessions = "Check your sessions";

function factsOf({ at, newEmail, device, address, codesLeft }: Content): Fact[] {
  const known: [string, string | undefined][] = [
    ["When", utcTime(at)],
    ["New address", newEmail],
    ["Device", device],
    ["From", address],
    ["Recovery codes left", codesLeft?.toString()],
  ];
  return known.flatMap(([name, value]): Fact[] => (value ? [[name, oneLine(value)]] : []));
}
