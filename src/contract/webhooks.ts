import { z } from "zod";
import { instant } from "./envelope";
import { paymentStatuses } from "./payments";

const id = z.string().max(64);
const minor = z.int().describe("Minor units of the currency, such as cents");
const account = id.nullable().describe("The account; null where there is none");
const email = z.string().nullable();

export const orderResource = z.object({
  order: id.describe("As `payment_id` on the payment's page"),
  account: account.describe("The buyer's; null for a guest, and once it is erased"),
  email: email.describe("The buyer's; null once it is erased"),
  offer: z.string().describe("The offer's id"),
  quantity: z.int().min(1),
  currency: z.string().length(3).describe("ISO 4217, lower case"),
  paid: minor,
  refunded: minor,
  state: z.enum(paymentStatuses),
});

export const licenseStates = [
  "active",
  "unredeemed",
  "expired",
  "suspended",
  "disputed",
  "refunded",
  "revoked",
] as const;

export const licenseCauses = [
  "sold",
  "issued",
  "redeemed",
  "disputed",
  "won",
  "suspended",
  "reinstated",
  "extended",
  "stacked",
  "revoked",
  "refunded",
  "lost",
  "expired",
] as const;
export type LicenseCause = (typeof licenseCauses)[number];

export const licenseResource = z.object({
  license: id,
  order: id.nullable().describe("null where nobody bought it"),
  account: account.describe("Whose it is; null until it is redeemed"),
  email: email.describe("Its owner's; until it is redeemed, where its key was mailed"),
  state: z.enum(licenseStates),
  expires_at: instant.nullable().describe("null: never, or not yet redeemed"),
  devices: z.int().describe("On how many computers it may be used"),
});

export const accountResource = z.object({ account: id, email: email.describe("null once it is erased") });

const license = licenseResource.extend({
  cause: z.enum(licenseCauses).describe("What happened to it"),
});
const discord = z.object({
  account: id,
  discord: z.string().nullable().describe("The Discord user's id; null once they are no longer linked"),
});
const ticket = z.object({ ticket: id, account });
const release = z.object({ version: z.string(), channel: z.string() });
const test = z.object({ endpoint: id });

/** What the shop tells other systems: the fields of each type's `data`, and when it is told. */
export const webhookTypes = {
  "order.paid": { data: orderResource, when: "An order was paid, or was free" },
  "order.refunded": { data: orderResource, when: "What was refunded of an order changed" },
  "order.disputed": { data: orderResource, when: "A bank opened a dispute" },
  "order.dispute_closed": { data: orderResource, when: "A dispute was won, lost or withdrawn" },
  "license.issued": { data: license, when: "A license was sold or handed out" },
  "license.redeemed": { data: license, when: "A license was added to an account" },
  "license.changed": {
    data: license,
    when: "A license was disputed, suspended or given back, or has another end",
  },
  "license.ended": { data: license, when: "A license was revoked, refunded or lost, or expired" },
  "account.created": { data: accountResource, when: "A customer registered, or was imported" },
  "account.deleted": { data: accountResource, when: "An account was erased" },
  "discord.linked": { data: discord, when: "An account was linked to a Discord user" },
  "discord.unlinked": { data: discord, when: "The link ended" },
  "ticket.opened": { data: ticket, when: "A ticket was opened, or opened again" },
  "ticket.closed": { data: ticket, when: "A ticket was closed" },
  "release.published": { data: release, when: "A release was published" },
  "webhook.test": { data: test, when: "Staff asked for it, whatever the endpoint listens to" },
} as const satisfies Record<string, { data: z.ZodObject; when: string }>;

export type WebhookType = keyof typeof webhookTypes;
export const webhookTypeNames = Object.keys(webhookTypes) as WebhookType[];

/** A type's data without `sequence`, which every event carries. */
export type WebhookData<T extends WebhookType = WebhookType> = z.infer<(typeof webhookTypes)[T]["data"]>;

/** The body of a webhook: https://www.standardwebhooks.com, "Payload". */
export const webhookBody = <T extends WebhookType>(type: T) =>
  z.object({
    type: z.literal(type),
    timestamp: instant.describe("When it happened"),
    data: webhookTypes[type].data.extend({
      sequence: z
        .int()
        .describe("Of two events about one thing, the one with the higher number is the newer"),
    }),
  });
