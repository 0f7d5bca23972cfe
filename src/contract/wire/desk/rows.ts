import { z } from "zod";
import { instant, level } from "../envelope";
import { interval } from "../offers";
import { bill } from "../payments";
import {
  deskCorrectionStates,
  deskLicenceStatuses,
  deskPaymentStatuses,
  deskRefundStates,
  subscriptionStatuses,
  ticketStates,
  staffRoles,
} from "../../vocabulary/statuses";

/*
 * The rows of the desk's lists, details, search and exports. Names and texts are as people typed them: show them as
 * text, never as markup.
 */

const actorKinds = ["customer", "staff", "application", "operator", "shop", "visitor"] as const;

const id = z.string();
const minor = z.int().describe("Minor units");

const deskCustomer = z
  .object({ id, username: z.string() })
  .nullable()
  .describe("The account; null for a guest, or if it was erased");

export const deskActor = z
  .object({
    kind: z.enum(actorKinds),
    id: z
      .string()
      .describe("For the filter `actor`: an account's id, `discord:` followed by a user's id, or the kind"),
    name: z
      .string()
      .nullable()
      .describe(
        "The account's current name; `former staff` for staff whose account was erased; null if no name is known",
      ),
    role: z.enum(staffRoles).nullable().describe("For staff, the role in which they acted"),
    via: z.enum(["site", "discord", "desk"]).nullable().describe("null if not known, or if no person did it"),
  })
  .meta({ id: "DeskActor" });
export type DeskActor = z.infer<typeof deskActor>;

export const customerRow = z
  .object({
    id,
    username: z.string(),
    email: z.string().nullable().describe("null once another account has confirmed what this one typed"),
    email_confirmed: z.boolean().describe("false: it was only typed, and says nothing about who this is"),
    created_at: instant,
    two_factor: z.boolean(),
    active_license: z.boolean(),
    level: level.nullable().describe("The highest of the active licenses; null: none is active"),
  })
  .meta({ id: "DeskCustomer" });

const deskDispute = z.object({
  status: z.string().describe("In Stripe's words"),
  reason: z.string().nullable(),
  amount: minor.nullable(),
  currency: z.string().nullable(),
  since: instant.nullable().describe("When it took the money; null for an inquiry"),
  due: instant.nullable().describe("The deadline for evidence; null if Stripe is not waiting for any"),
});

export const paymentRow = z
  .object({
    id,
    session_id: z.string().describe("Stripe's id of the checkout session, or of a renewal's invoice"),
    payment_id: z.string().nullable().describe("Stripe's id of the payment intent; null until there is one"),
    status: z.enum(deskPaymentStatuses),
    email: z
      .string()
      .nullable()
      .describe("The buyer's; null until Stripe reports it, and after it is erased"),
    customer: deskCustomer,
    redeemed_by: deskCustomer.describe("The account that redeemed the first license of a guest's order"),
    offer: z.string().describe("The offer's id"),
    level: level.describe("What its licenses were sold as, by the name of that time"),
    quantity: z.int(),
    bill,
    dispute: deskDispute.nullable(),
    mismatch: z
      .string()
      .nullable()
      .describe("How Stripe's session differs from the order; null if it doesn't"),
    created_at: instant,
    paid_at: instant.nullable(),
  })
  .meta({ id: "DeskPayment" });

export const licenceRow = z
  .object({
    id,
    key: z.string().describe("Masked"),
    status: z.enum(deskLicenceStatuses),
    offer: z.string().nullable().describe("The offer under which it was sold; null if nobody bought it"),
    level,
    days: z.int().nullable().describe("How long it runs from redemption; null: lifetime"),
    devices: z.int().describe("How many computers may use it"),
    customer: deskCustomer,
    buyer: z
      .string()
      .nullable()
      .describe("The buyer's email; null if nobody bought it, and after it is erased"),
    payment: z.string().nullable().describe("Our id of the payment that bought it"),
    created_at: instant,
    redeemed_at: instant.nullable(),
    expires_at: instant.nullable().describe("null: never, or not yet redeemed"),
  })
  .meta({ id: "DeskLicence" });

export const subscriptionRow = z
  .object({
    id,
    status: z.enum(subscriptionStatuses),
    offer: z.string().describe("The offer's id"),
    level: level.describe("What its price gives the license"),
    email: z.string().nullable().describe("The buyer's; null after it is erased"),
    customer: deskCustomer,
    amount: minor.describe("The price of a period, before codes and tax; minor units"),
    currency: z.string(),
    interval,
    renews_at: instant.nullable(),
    ends_at: instant.nullable().describe("When it ends, if it was cancelled, or has ended"),
    created_at: instant,
  })
  .meta({ id: "DeskSubscription" });

export const ticketRow = z
  .object({
    id,
    number: z.int().describe("The number that customers and staff use"),
    topic: z.string(),
    status: z.enum(ticketStates),
    waiting_for: z
      .enum(["staff", "customer"])
      .nullable()
      .describe("Who has to write next; null once it is closed"),
    waiting_since: instant.nullable().describe("Since when they have waited; null once it is closed"),
    customer: deskCustomer,
    name: z.string().describe("The customer's name when the ticket was opened"),
    claimer: deskActor.nullable().describe("Who claimed it"),
    last: z
      .object({ author: z.enum(["customer", "guest", "staff"]), text: z.string() })
      .describe("The first line of the newest message, notes left out; of a new ticket, of the question"),
    opened_at: instant,
    closed_at: instant.nullable(),
  })
  .meta({ id: "DeskTicket" });

export const refundRow = z
  .object({
    id,
    payment: z.string().describe("Our id of the payment"),
    email: z.string().nullable().describe("The buyer's; null after it is erased"),
    customer: deskCustomer.describe(
      "The account that paid, or redeemed the first license of a guest's order",
    ),
    amount: minor,
    currency: z.string(),
    state: z.enum(deskRefundStates).describe("`approved`: on its way to Stripe; `failed`: Stripe refused it"),
    proposed_by: deskActor,
    decided_by: deskActor.nullable(),
    reason: z.string(),
    created_at: instant,
    decided_at: instant.nullable(),
  })
  .meta({ id: "DeskRefund" });

export const correctionRow = z
  .object({
    id,
    payment: z.string().describe("Our id of the order; of a subscription, its first payment"),
    receiver: z.boolean().describe("Whether it is for the gift's receiver instead of the buyer"),
    present_email: z.string().nullable().describe("The address that the order has now"),
    email: z.string().describe("The proposed address"),
    state: z.enum(deskCorrectionStates),
    proposed_by: deskActor,
    decided_by: deskActor.nullable(),
    reason: z.string(),
    created_at: instant,
    decided_at: instant.nullable(),
  })
  .meta({ id: "DeskCorrection" });

export const auditRow = z
  .object({
    id,
    at: instant,
    actor: deskActor,
    action: z.string(),
    subject: z.object({
      kind: z.string(),
      id: z.string(),
      name: z
        .string()
        .nullable()
        .describe("What people call it now, such as a user name, a masked key or a ticket's number"),
    }),
    customer: deskCustomer.describe("The account in whose history it is"),
    currency: z.string().nullable().describe("Of the amounts in `details`"),
    reason: z.string().nullable(),
    details: z.record(z.string(), z.unknown()).nullable(),
    names: z
      .record(z.string(), z.string())
      .describe("Of the computers and offers in `details`, by their ids"),
  })
  .meta({ id: "DeskEntry" });

export type CustomerRow = z.infer<typeof customerRow>;
export type PaymentRow = z.infer<typeof paymentRow>;
export type LicenceRow = z.infer<typeof licenceRow>;
export type SubscriptionRow = z.infer<typeof subscriptionRow>;
export type TicketRow = z.infer<typeof ticketRow>;
export type RefundRow = z.infer<typeof refundRow>;
export type CorrectionRow = z.infer<typeof correctionRow>;
export type AuditRow = z.infer<typeof auditRow>;
