import { z } from "zod";
import { email, newPassword, typedPassword } from "./accounts";
import { instant } from "./envelope";
import { licence } from "./licences";
import { payment } from "./payments";
import { subscription } from "./subscriptions";
import { ticketTranscript } from "./tickets";
import { securityEvents, type SecurityEventCode } from "../vocabulary/security-events";

const securityCode = z.string().min(1).max(32).describe("Six digits, or a recovery code");
const securityCodeIfOn = z
  .string()
  .max(32)
  .optional()
  .describe("Six digits, or a recovery code; only with two-factor");

/** What adds a way into the account takes these, unless they were typed in this session less than 15 minutes ago. */
export const proofs = {
  password: typedPassword.optional(),
  security_code: securityCodeIfOn,
};

/** Whether the call also replaces the auth token. */
const renewToken = z
  .boolean()
  .optional()
  .describe(
    "Also replace the auth token, if there is one: applications that use the old one are signed out right away, and one that is offline at the latest when its offline token ends, after 21 days",
  );

export const sentence = z.string().describe("The sentence to show");

export const apiKey = z.object({ api_key: z.string() });

export const mfaSetup = z.object({
  qr: z.string().describe("The QR code as a data: URL"),
  secret: z.string().describe("The same in base32, to type in"),
  otpauth: z.string().describe("The same as an otpauth:// link"),
});
export const mfaResetBody = z.object({ password: typedPassword.optional() });
export const mfaEnableBody = z.object({ security_code: securityCode.describe("Six digits") });
export const mfaRecoveryCodes = z.object({
  recovery_codes: z.array(z.string()).describe("Ten codes, each valid once; never shown again"),
});
export const mfaRemoveBody = z.object({
  security_code: securityCode,
  password: typedPassword.optional().describe("Only if it was last entered more than 15 minutes ago"),
});

export const emailResetBody = z.object({ email, password: typedPassword, security_code: securityCodeIfOn });
export const emailConfirmBody = z.object({
  token: z.string().min(1).max(200).optional().describe("Of the mailed link"),
  code: z
    .string()
    .min(1)
    .max(32)
    .optional()
    .describe("The six digits from the mail, in a session of the account"),
});
export const emailConfirmed = z.object({
  email: z.string().describe("The confirmed address, or the one that was mailed to"),
  confirmed: z.boolean().describe("False: link and digits were mailed again"),
});
export const emailDeclineBody = z.object({ token: z.string().min(1).max(200) });

export const passwordResetBody = z.object({
  old_password: typedPassword,
  new_password: newPassword,
  security_code: securityCodeIfOn,
  renew_token: renewToken,
});

export const reauthenticateBody = z.object({ password: typedPassword, security_code: securityCodeIfOn });

export const session = z.object({
  id: z.string(),
  device: z.string().describe('In words: "Firefox on Linux"'),
  address: z.string().describe("The network address it was opened from"),
  created_at: instant,
  last_seen_at: instant.describe("To the hour"),
  current: z.boolean().describe("Whether it is the session making this call"),
});
export const sessionEndBody = z.object({ id: z.string().min(1).max(64) });

export const endOthersBody = z.object({ renew_token: renewToken });

export const securityEvent = z.object({
  id: z.string(),
  at: instant,
  code: z.enum(Object.keys(securityEvents) as [SecurityEventCode, ...SecurityEventCode[]]),
  text: z.string().describe("What happened, in words"),
  device: z.string().nullable().describe("The browser's device; null if no browser did it"),
});

export const deleteBody = z.object({ password: typedPassword, security_code: securityCodeIfOn });

/** What is kept of a payment for the books. */
export const taxFacts = z.object({
  invoice_number: z.string().nullable(),
  country: z.string().nullable().describe("Where the buyer is, by ISO 3166"),
  tax_id: z.string().nullable(),
  tax_id_kind: z.string().nullable().describe("In Stripe's words, such as `eu_vat`"),
  card_brand: z.string().nullable(),
  card_last4: z.string().nullable(),
  fee: z
    .object({ amount: z.int(), currency: z.string() })
    .nullable()
    .describe("What Stripe kept of the payment, in minor units"),
  payout: z.string().nullable().describe("Stripe's id of the payout to the shop's bank"),
  payout_at: instant.nullable(),
});

export const accountExport = z.object({
  account: z.object({
    id: z.string(),
    username: z.string(),
    email: z.string().nullable(),
    timezone: z.string(),
    created_at: instant,
    mfa: z.boolean(),
    last_reset: instant.nullable(),
    unsubscribed_at: instant.nullable().describe("Since when they want no news and reminders"),
  }),
  device: z
    .object({
      label: z.string(),
      os: z.string(),
      version: z.string().nullable(),
      first_seen_at: instant,
      last_seen_at: instant,
    })
    .nullable()
    .describe("The computer last seen"),
  devices: z.array(
    z.object({
      label: z.string(),
      os: z.string(),
      version: z.string().nullable(),
      first_seen_at: instant,
      last_seen_at: instant,
      deactivated_at: instant.nullable(),
      offline_until: instant.nullable(),
    }),
  ),
  discord: z.object({ user_id: z.string(), linked_at: instant }).nullable(),
  licenses: z.array(licence),
  payments: z.array(
    payment.extend({
      tax_facts: taxFacts
        .nullable()
        .describe("What is kept for the shop's books; null where someone else bought"),
    }),
  ),
  subscriptions: z.array(subscription.extend({ billing_email: z.string().nullable() })),
  purchases: z.array(
    z.object({
      payment: z.string().describe("Its id in this file"),
      terms_edition: z.string(),
      terms_accepted_at: instant,
      address: z.string().nullable().describe("The network address it was made from, for 540 days"),
      user_agent: z.string().nullable().describe("Its User-Agent, kept as long"),
    }),
  ),
  tickets: z.array(ticketTranscript),
  sessions: z.array(session),
  security_events: z.array(securityEvent),
  notes: z
    .array(z.object({ at: instant, text: z.string() }))
    .describe("What support noted about the account"),
});

export type MfaSetup = z.infer<typeof mfaSetup>;
export type Session = z.infer<typeof session>;
export type SecurityEvent = z.infer<typeof securityEvent>;
export type AccountExport = z.infer<typeof accountExport>;
