import { taxFacts } from "../security";
import { card } from "../subscriptions";
import { z } from "zod";
import { instant } from "../envelope";
import {
  auditRow,
  correctionRow,
  customerRow,
  deskActor,
  licenceRow,
  paymentRow,
  refundRow,
  subscriptionRow,
  ticketRow,
} from "./rows";
import { staffRoles } from "../../vocabulary/statuses";

const newest = "The newest 100";
const timeline = z.array(auditRow).describe(`What happened, newest first. ${newest}`);

export const noteRow = z.object({ id: z.string(), at: instant, by: deskActor, text: z.string() });
export type NoteRow = z.infer<typeof noteRow>;

export const deviceRow = z.object({
  id: z.string(),
  label: z.string(),
  os: z.string(),
  version: z
    .string()
    .nullable()
    .describe("The version of the application when the device was last seen; null if it was never online"),
  active: z.boolean().describe("false: the account has fewer seats now"),
  first_seen_at: instant,
  last_seen_at: instant,
  deactivated_at: instant.nullable(),
  removable_at: instant.nullable().describe("From when its owner may remove it; null: now"),
  offline_until: instant.nullable().describe("The end of its newest offline file"),
});

export const deskLink = z.object({
  discord_id: z.string(),
  name: z.string().nullable().describe("The name that Discord shows; null if staff made the link"),
  linked_at: instant,
  member: z.boolean().nullable().describe("Whether they are on the server; null before the first check"),
  holds_role: z.boolean().nullable(),
  roles: z.string().nullable().describe("The levels whose role they have, where several levels give one"),
});

export const customerDetails = customerRow.extend({
  staff: z.enum(staffRoles).nullable().describe("The role, if this is a member of staff"),
  timezone: z.string(),
  timeline,
  licences: z.array(licenceRow).describe(`The licenses that the account redeemed. ${newest}`),
  payments: z
    .array(paymentRow)
    .describe(`The payments made while signed in to the account, and those for its licenses. ${newest}`),
  devices: z.array(deviceRow).describe(newest),
  subscriptions: z.array(subscriptionRow).describe(`Those that the account bought. ${newest}`),
  tickets: z.array(ticketRow).describe(newest),
  notes: z.array(noteRow).describe(newest),
  link: deskLink.nullable().describe("The linked Discord user"),
});
export type CustomerDetails = z.infer<typeof customerDetails>;

/** An email that brings what was bought; the times are of its newest attempts. */
export const mailFate = z.object({
  letter: z.enum(["receipt", "gift"]),
  to: z.string(),
  accepted_at: instant.nullable().describe("When the mail server last accepted it"),
  refused_at: instant
    .nullable()
    .describe("When the mail server refused it for good; null once it accepts it"),
  words: z
    .string()
    .nullable()
    .describe("What the mail server answered when it last refused it, without addresses"),
  waiting_since: instant.nullable().describe("While it waits to be sent; otherwise null"),
  next_try_at: instant.nullable(),
  sent_again_at: instant.nullable().describe("When staff last sent it again"),
});
export type MailFate = z.infer<typeof mailFate>;

export const paymentDetails = paymentRow.extend({
  product: z.string().describe("What was bought, as it was called then"),
  method: z.string().nullable(),
  failure_reason: z.string().nullable(),
  invoice_url: z.string().nullable(),
  gift: z
    .object({ email: z.string(), from: z.string().nullable(), message: z.string().nullable() })
    .nullable()
    .describe("Who gets the key by mail instead of the buyer"),
  emails: z
    .array(mailFate)
    .describe("The receipt and, of a gift, the email with its key; empty before the sale"),
  tax_facts: taxFacts,
  fraud_warned_at: instant.nullable().describe("When the card network warned of fraud"),
  timeline,
  licences: z.array(licenceRow).describe(`The licenses that the payment bought. ${newest}`),
  subscription: subscriptionRow
    .extend({
      licence: licenceRow.nullable(),
      ends_if_refunded: z
        .boolean()
        .describe("Whether refunding all that is left of the payment ends the subscription and its license"),
    })
    .nullable()
    .describe("The subscription that the payment began or renewed"),
  refunds: z.array(refundRow).describe(newest),
  corrections: z.array(correctionRow).describe(`Of a subscription, those of its first order. ${newest}`),
});
export type PaymentDetails = z.infer<typeof paymentDetails>;

export const licenceDetails = licenceRow.extend({
  suspended_at: instant.nullable(),
  revoked_at: instant.nullable(),
  extensions: z
    .array(z.object({ days: z.int(), added_at: instant }))
    .describe(`Days that staff added after it was redeemed. ${newest}`),
  bought_with: paymentRow.nullable().describe("The payment that bought it; null if nobody bought it"),
  timeline,
});
export type LicenceDetails = z.infer<typeof licenceDetails>;

export const subscriptionDetails = subscriptionRow.extend({
  stripe_id: z.string().describe("Stripe's id of the subscription"),
  next_amount: z.int().nullable().describe("The next charge, with codes and tax; null if none is due"),
  plus_tax: z.literal(true).optional().describe("Stripe didn't say the amount: tax comes on top"),
  changes_to: z.string().nullable().describe("The offer that it changes to at its next renewal"),
  changes_at: instant.nullable(),
  card: card.nullable(),
  looked_at: instant.describe("When the shop last looked at it at Stripe"),
  timeline,
  licences: z.array(licenceRow).describe("Its license"),
  payments: z.array(paymentRow).describe(`One for each invoice that was paid or is due. ${newest}`),
});
export type SubscriptionDetails = z.infer<typeof subscriptionDetails>;

const deskMessage = z.object({
  id: z.string(),
  author: z.enum(["customer", "guest", "staff", "shop", "note"]).describe("`note`: visible only to staff"),
  name: z.string(),
  text: z.string(),
  at: instant,
  edited_at: instant.nullable(),
  deleted: z.boolean(),
  files: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      size: z.int(),
      state: z.enum(["waiting", "kept", "too_large", "over_quota", "lost"]),
      picture: z.boolean(),
    }),
  ),
});

export const ticketDetails = ticketRow.extend({
  via: z.enum(["discord", "site"]).describe("Where it was opened"),
  discord_id: z.string().nullable(),
  question: z.string(),
  claimed_by: z.string().nullable().describe("The actor's id of who claimed it"),
  closed_by: z.enum(["customer", "staff", "shop"]).nullable(),
  close_reason: z.string().nullable(),
  stars: z.int().nullable(),
  rating_comment: z.string().nullable(),
  messages: z.array(deskMessage).describe("The newest 100, oldest first"),
  timeline,
});
export type TicketDetails = z.infer<typeof ticketDetails>;
