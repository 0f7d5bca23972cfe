import { z } from "zod";
import { lengthOfPassword, passwordLength, usernameRule } from "../vocabulary/account-rules";
import { canonicalAddress } from "../vocabulary/addresses";
import { isEmailAddress } from "../vocabulary/fields";
import { browserTimezone, instant, level } from "./envelope";
import { maxTypedKeyLength } from "../vocabulary/typed-codes";

export const username = z
  .string()
  .regex(usernameRule, "must be 3 to 32 letters, digits, underscores, dots or dashes");

/** An address as typed, only to look something up by: one mailbox, in the one alphabet of `addresses.ts`. */
export const typedEmail = z.string().max(254).refine(isEmailAddress, "must be an email address");

/** An address to store and send email to, in the form that mail servers accept. */
export const email = typedEmail.overwrite((typed) => canonicalAddress(typed) ?? typed);

/** Bounded, so that nobody can make the server hash a megabyte. */
const mostBytes = 1024;
const fitsBytes = (text: string) => new TextEncoder().encode(text).length <= mostBytes;

/** Any Unicode: NIST SP 800-63B asks for a minimum length and a blocklist, not for composition rules. */
export const newPassword = z
  .string()
  .refine((text) => {
    const length = lengthOfPassword(text);
    return length >= passwordLength.least && length <= passwordLength.most;
  }, "must have 8 to 128 characters")
  .refine(fitsBytes, "must have at most 1,024 bytes")
  .meta({ maxLength: mostBytes, description: "8 to 128 characters, counted in NFKC" });

export const typedPassword = z
  .string()
  .min(1)
  .refine(fitsBytes, "must have at most 1,024 bytes")
  .meta({ maxLength: mostBytes });
/** Longer than any key, for what is pasted with it. */
export const typedKey = z.string().min(1).max(maxTypedKeyLength);

/** A wrong one refuses nothing, so any text is one. */
export const mailedToken = z
  .string()
  .optional()
  .describe(
    "From the link in a receipt or gift mail. Confirms the address that the mail went to, if it is the account's and the key is the mail's; else nothing",
  );

export const registerBody = z.object({
  username,
  email,
  password: newPassword,
  key: typedKey,
  timezone: browserTimezone,
  mailed_token: mailedToken,
});
export const loginBody = z.object({
  username: z.string().min(1).max(254).describe("Username or email"),
  password: typedPassword,
  security_code: z
    .string()
    .max(32)
    .optional()
    .describe("Six digits, or a recovery code; only with two-factor"),
});

export const staffRole = z.enum(["owner", "support", "viewer"]);

export const me = z.object({
  id: z.string(),
  username: z.string(),
  email: z
    .string()
    .nullable()
    .describe("null once another account has confirmed the address that this one had only typed"),
  email_confirmed: z.boolean().describe("Whether its mailbox has proven itself"),
  email_pending: z.string().nullable().describe("The address that a change waits for; null without one"),
  sends_mail: z.boolean().describe("false: the shop sends no mail, so no address is ever confirmed"),
  api_key: z.string().nullable(),
  mfa: z.boolean(),
  active_license: z.boolean(),
  level: level.nullable().describe("The highest of which a license is active; null without one"),
  features: z.array(z.string()).describe("What the active licenses unlock in the application, sorted"),
  hwid_set: z.boolean(),
  last_reset: instant.nullable(),
  devices: z.object({
    used: z.int().describe("Computers kept, also inactive and deactivated ones"),
    places: z.int().describe("As many as the active license with the most has; 0 without one"),
  }),
  discord_authed: z.boolean(),
  staff: staffRole.nullable().describe("The role of a member of staff, or null"),
  staff_asleep: z.boolean().describe("Whether that role sleeps until an owner wakes it"),
  past_due: z
    .object({
      subscription: z.string(),
      until: instant.nullable().describe("When its license ends unless the renewal is paid"),
    })
    .nullable()
    .describe("The account's subscription whose last renewal failed, or null"),
  created_at: instant,
});

export const dashboard = z.object({
  user_count: z.int().nullable().describe("Null where the setting TOTAL_USERS hides it"),
});

export type RegisterBody = z.infer<typeof registerBody>;
export type LoginBody = z.infer<typeof loginBody>;
export type Me = z.infer<typeof me>;
