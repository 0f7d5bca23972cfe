import { z } from "zod";
import { addedCauses, removedCauses } from "../vocabulary/devices";
import { instant, level } from "./envelope";
import { licenseStates, paymentStatuses, subscriptionStatuses } from "../vocabulary/statuses";

const id = z.string().max(64);
const minor = z.int().describe("Minor units of the currency, such as cents");
const account = id.nullable().describe("The account; null where there is none");
const email = z.string().nullable();
const email_confirmed = z
  .boolean()
  .describe(
    "Whether the account has confirmed that very address; false: it was only typed, and identifies nobody",
  );

export const orderResource = z.object({
  order: id.describe("As `payment_id` on the payment's page"),
  account: account.describe("The buyer's; null for a guest, and once it is erased"),
  email: email.describe("The buyer's; null once it is erased"),
  email_confirmed,
  offer: z.string().describe("The offer's id"),
  level: level.describe("What its licenses were sold as, by the name of that time"),
  quantity: z.int().min(1),
  currency: z.string().length(3).describe("ISO 4217, lower case"),
  paid: minor,
  refunded: minor,
  state: z.enum(paymentStatuses),
});

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
  "places",
  "level",
  "renewed",
  "paid_late",
  "switched",
  "revoked",
  "refunded",
  "lost",
  "expired",
  "lapsed",
] as const;
export type LicenseCause = (typeof licenseCauses)[number];

export const licenseResource = z.object({
  license: id,
  order: id.nullable().describe("null where nobody bought it"),
  account: account.describe("Whose it is; null until it is redeemed"),
  email: email.describe("Its owner's; until it is redeemed, where its key was mailed"),
  email_confirmed,
  level,
  state: z.enum(licenseStates),
  expires_at: instant.nullable().describe("null: never, or not yet redeemed"),
  devices: z.int().describe("On how many computers it may be used"),
});

export const subscriptionResource = z.object({
  subscription: id,
  license: id.nullable().describe("The license that it pays for; null: none yet"),
  account: account.describe("The buyer's; null for a guest, and once it is erased"),
  email: email.describe("The buyer's; null once it is erased"),
  email_confirmed,
  level: level.describe("What its price gives the license"),
  state: z.enum(subscriptionStatuses),
  renews_at: instant.nullable().describe("The next charge; null: none is due"),
  ends_at: instant.nullable().describe("When it ends, or ended; null: it continues"),
});

export const deviceCauses = [...new Set([...addedCauses, ...removedCauses])] as const;
export type DeviceEventCause = (typeof deviceCauses)[number];

export const accountResource = z.object({
  account: id,
  email: email.describe("null once it is erased"),
  email_confirmed,
});

const license = licenseResource.extend({
  cause: z.enum(licenseCauses).describe("What happened to it"),
});
const device = z.object({
  device: id.describe("The computer, by the id that it has while the account keeps it"),
  account: id,
  email: email.describe("null once the account is erased"),
  email_confirmed,
  cause: z
    .enum(deviceCauses)
    .describe(
      "How it came: application, signed_in or offline_file. Who removed it: owner, staff, application (it was deactivated there, and another took its seat) or erased (the account was)",
    ),
});
const discord = z.object({
  account: id,
  discord: z.string().nullable().describe("The Discord user's id; null once they are no longer linked"),
});
const ticket = z.object({ ticket: id, account });
const release = z.object({ version: z.string(), channel: z.string() });
const test = z.object({ endpoint: id });

/** A type of event: the fields of its `data`, when it is sent, and an example for docs/webhooks.md. */
const event = <D extends z.ZodObject>(data: D, when: string, sample: z.infer<D>) => ({ data, when, sample });

const anAccount = "019a8f3e-52c1-7b1e-9a40-2f6c1d7e8b05";
const aLevel = { id: "premium", name: "Premium" };
const anOrder: z.infer<typeof orderResource> = {
  order: "pi_3QK1b2LkdIwHu7ix0aB4",
  account: null,
  email: "ada@example.com",
  email_confirmed: false,
  offer: "lifetime",
  level: aLevel,
  quantity: 1,
  currency: "usd",
  paid: 1999,
  refunded: 0,
  state: "succeeded",
};
const aDevice: z.infer<typeof device> = {
  device: "019a8f52-6a17-7d0e-9c55-0b3d8e1f4a26",
  account: anAccount,
  email: "ada@example.com",
  email_confirmed: true,
  cause: "application",
};
const aLicense: z.infer<typeof license> = {
  license: "019a8f41-7d20-7c3a-8e15-64b0f2a9c3d7",
  order: anOrder.order,
  account: anAccount,
  email: "ada@example.com",
  email_confirmed: true,
  level: aLevel,
  state: "active",
  expires_at: null,
  devices: 1,
  cause: "redeemed",
};

const aSubscription: z.infer<typeof subscriptionResource> = {
  subscription: "019a8f70-2d31-7e5b-9f04-7c1a3b5d9e62",
  license: aLicense.license,
  account: anAccount,
  email: "ada@example.com",
  email_confirmed: true,
  level: aLevel,
  state: "active",
  renews_at: "2026-12-31T23:00:00.000Z",
  ends_at: null,
};

/** Every type of event in the shop's webhooks. */
export const webhookTypes = {
  "order.paid": event(orderResource, "An order was paid or was free", anOrder),
  "order.refunded": event(orderResource, "An order's refunded amount changed", {
    ...anOrder,
    refunded: 1999,
    state: "refunded",
  }),
  "order.disputed": event(orderResource, "A bank opened a dispute", { ...anOrder, state: "disputed" }),
  "order.dispute_closed": event(orderResource, "A dispute was won, lost or withdrawn", anOrder),
  "license.issued": event(license, "A license was sold or issued", {
    ...aLicense,
    account: null,
    email_confirmed: false,
    state: "unredeemed",
    cause: "sold",
  }),
  "license.redeemed": event(license, "A license was added to an account", aLicense),
  "license.changed": event(
    license,
    "A license was disputed, suspended or reinstated, or its end, level or number of computers changed",
    {
      ...aLicense,
      expires_at: "2026-12-31T23:00:00.000Z",
      cause: "extended",
    },
  ),
  "license.ended": event(
    license,
    "A license was revoked, refunded, lost in a dispute or expired, or its renewal wasn't paid in time (lapsed)",
    {
      ...aLicense,
      state: "refunded",
      cause: "refunded",
    },
  ),
  "subscription.started": event(subscriptionResource, "A subscription or trial started", aSubscription),
  "subscription.renewed": event(subscriptionResource, "A renewal was paid", aSubscription),
  "subscription.changed": event(
    subscriptionResource,
    "A subscription was switched to another offer",
    aSubscription,
  ),
  "subscription.past_due": event(subscriptionResource, "A renewal couldn't be charged", {
    ...aSubscription,
    state: "past_due",
    renews_at: null,
  }),
  "subscription.ending": event(subscriptionResource, "A subscription was canceled and runs until its end", {
    ...aSubscription,
    state: "ending",
    renews_at: null,
    ends_at: "2026-12-31T23:00:00.000Z",
  }),
  "subscription.ended": event(subscriptionResource, "A subscription ended", {
    ...aSubscription,
    state: "ended",
    renews_at: null,
    ends_at: "2026-12-31T23:00:00.000Z",
  }),
  "device.added": event(device, "A computer was added to an account", aDevice),
  "device.removed": event(device, "A computer was removed from an account", { ...aDevice, cause: "owner" }),
  "account.created": event(accountResource, "A customer registered or was imported", {
    account: anAccount,
    email: "ada@example.com",
    email_confirmed: false,
  }),
  "account.deleted": event(accountResource, "An account was erased", {
    account: anAccount,
    email: null,
    email_confirmed: false,
  }),
  "discord.linked": event(discord, "An account was linked to a Discord user", {
    account: anAccount,
    discord: "112233445566778899",
  }),
  "discord.unlinked": event(discord, "An account's link to a Discord user ended", {
    account: anAccount,
    discord: null,
  }),
  "ticket.opened": event(ticket, "A ticket was opened or reopened", {
    ticket: "019a8f55-03b8-7f42-b1c6-9d0e7a25f81c",
    account: anAccount,
  }),
  "ticket.closed": event(ticket, "A ticket was closed", {
    ticket: "019a8f55-03b8-7f42-b1c6-9d0e7a25f81c",
    account: anAccount,
  }),
  "release.published": event(release, "A release was published", { version: "2.1.1", channel: "latest" }),
  "webhook.test": event(test, "A test that staff sent, whatever the endpoint listens to", {
    endpoint: "ep_019a8f60-1c44-7a90-8d3b-5e2f4b6c7d88",
  }),
} as const satisfies Record<string, ReturnType<typeof event>>;

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
