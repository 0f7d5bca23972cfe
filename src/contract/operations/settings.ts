import { mostOfAServerKeysName, mostSearched } from "../vocabulary/bounds";
import { choice, choicesOf, flag, idOf, instant, line, schemaNamed, word } from "../vocabulary/fields";
import { blockKinds, deliveryStates, type OwnerMailKind } from "../vocabulary/kinds";
import { staffRoles } from "../vocabulary/statuses";
import { operation } from "./operation";

const owners = ["operator", "owner"] as const;

/* Who works for the shop */

export const listStaff = operation({
  name: "staff.read",
  roles: owners,
  call: "GET staff",
  answers: "staff",
  means: "In the order of their appointment",
  summary: "All staff, and open invitations",
});

export const addStaff = operation({
  name: "staff.add",
  roles: owners,
  code: true,
  call: "POST staff",
  command: "staff add <name-or-email>",
  reason: "required",
  fields: {
    name_or_email: line({
      label: "Name or email",
      most: mostSearched,
      hint: "A name's account needs a confirmed address.",
    }),
    role: choice({ label: "Role", choices: choicesOf(staffRoles) }),
  },
  answers: "staffAdded",
  means: "Changed or invited",
  summary: "Change a role, or invite an account or an address",
  description:
    "Whoever has a role, given by name, has another one at once. Anybody else is mailed a link, which gives the role once it is accepted, within 72 hours: an account at its confirmed address (`email_unconfirmed`), an address as it is.",
});

export const removeStaff = operation({
  name: "staff.remove",
  roles: owners,
  code: true,
  call: "POST staff/{id}/remove",
  command: "staff remove <name-or-email>",
  reason: "required",
  answers: "staff",
  means: "The remaining staff",
  summary: "Remove a member of staff, or withdraw an invitation",
  description: "Their desk closes at once. The last owner can't be removed (`last_owner`).",
});

export const wakeStaff = operation({
  name: "staff.wake",
  roles: owners,
  code: true,
  call: "POST staff/{id}/wake",
  command: "staff wake <name>",
  reason: "required",
  answers: "staff",
  means: "All staff",
  summary: "Wake the role of a member of staff",
  description: "A recovery that leaves an account without two-factor puts its role to sleep (`role_asleep`).",
});

/* What is shut out */

export const listBlocks = operation({
  name: "block.read",
  roles: owners,
  call: "GET blocks",
  fields: { kind: choice({ label: "Kind", choices: choicesOf(blockKinds), optional: true }) },
  page: true,
  answers: "block",
  means: "A page of the blocks",
  summary: "Everything that is blocked, newest first",
});

export const addBlock = operation({
  name: "block.add",
  roles: owners,
  code: true,
  call: "POST blocks",
  reason: "required",
  fields: {
    kind: choice({ label: "What is blocked", choices: choicesOf(blockKinds) }),
    // the application sends a hardware ID as it is
    value: word({
      label: "Which",
      read: (typed) => typed.trim(),
      pattern: /^[^]{1,512}$/,
      mistake: "1 to 512 characters",
      optional: true,
      about: "A hardware ID, an email, an address or network such as 192.0.2.0/24, or a Discord user's id",
    }),
    customer: idOf({
      label: "Customer",
      optional: true,
      about: "For a device: the account whose computer it is",
    }),
    device: idOf({
      label: "Computer",
      optional: true,
      about: "With `customer`: which of several computers, by its id",
    }),
  },
  oneOf: ["value", "customer"],
  answers: "block",
  means: "The block",
  summary: "Block a device, an email, a network or a Discord user",
});

export const removeBlock = operation({
  name: "block.remove",
  roles: owners,
  code: true,
  call: "POST blocks/{id}/remove",
  command: "blocks remove <id>",
  reason: "required",
  answers: "block",
  means: "The block that was lifted",
  summary: "Lift a block",
});

/* Webhooks, which tell other systems */

export const listDeliveries = operation({
  name: "webhook.deliveries",
  permission: "webhook.read",
  call: "GET webhooks/deliveries",
  fields: {
    endpoint: idOf({ label: "Endpoint", optional: true }),
    state: choice({
      label: "State",
      choices: choicesOf(deliveryStates),
      optional: true,
      about: "A page may then have fewer rows than `limit`",
    }),
  },
  page: true,
  answers: "delivery",
  means: "A page of the deliveries",
  summary: "What was sent in the last 30 days, newest first",
});

export const showDelivery = operation({
  name: "webhook.delivery",
  permission: "webhook.read",
  call: "GET webhooks/deliveries/{id}",
  answers: "deliveryWhole",
  means: "The delivery",
  summary: "What a delivery sent, and what the endpoint answered",
});

export const replayWebhooks = operation({
  name: "webhook.replay",
  roles: owners,
  code: true,
  call: "POST webhooks/replay",
  reason: "required",
  fields: {
    id: idOf({ label: "Event or delivery", optional: true, about: "An event's or a delivery's id" }),
    since: instant({
      label: "Since",
      optional: true,
      hint: "In your time zone. What is older than 30 days is gone.",
    }),
    endpoint: idOf({ label: "Endpoint", optional: true, about: "Only to this endpoint" }),
  },
  oneOf: ["id", "since"],
  answers: "replayed",
  means: "What is sent again",
  summary: "Send again a delivery, an event, or everything since a time",
  description:
    "Ids and bodies stay the same. If it takes longer than a few seconds, it goes on after the answer (`finished: false`).",
});

export const listWebhooks = operation({
  name: "webhook.read",
  roles: owners,
  call: "GET webhooks",
  page: true,
  answers: "webhook",
  means: "The endpoints, in the order in which they were added",
  summary: "Every endpoint, and whether it works; at most fifty",
});

const events = { label: "Events", schema: "eventTypes", nullable: true } as const;
const address = {
  label: "Address",
  most: 2_100,
  hint: "Check what it listens to; nothing checked is everything, also later kinds.",
} as const;

export const addWebhook = operation({
  name: "webhook.add",
  roles: owners,
  code: true,
  call: "POST webhooks",
  command: "webhooks add <url>",
  reason: "required",
  fields: {
    url: idOf(address),
    events: schemaNamed({ ...events, otherwise: null, about: "null: all, also later ones" }),
  },
  answers: "webhookWithSecret",
  means: "The endpoint with its secret",
  summary: "Add an endpoint, which gets events from now on",
  description: "Only this answer shows the secret that signs them.",
});

const onWebhook = { code: true, reason: "required" } as const;

export const showWebhook = operation({
  name: "webhook.show",
  permission: "webhook.read",
  call: "GET webhooks/{id}",
  answers: "webhookDetails",
  means: "The endpoint",
  summary: "An endpoint and how its last deliveries went",
});

export const changeWebhook = operation({
  ...onWebhook,
  name: "webhook.change",
  roles: owners,
  call: "POST webhooks/{id}/change",
  command: "webhooks change <endpoint>",
  fields: {
    url: idOf({ ...address, optional: true }),
    events: schemaNamed({ ...events, optional: true }),
  },
  someOf: ["url", "events"],
  answers: "webhook",
  means: "The endpoint",
  summary: "Change an endpoint's URL or events",
  description: "Its secret stays.",
});

export const enableWebhook = operation({
  ...onWebhook,
  name: "webhook.enable",
  roles: owners,
  call: "POST webhooks/{id}/enable",
  command: "webhooks enable <endpoint>",
  answers: "webhook",
  means: "The endpoint",
  summary: "Enable a disabled endpoint from the next event on",
  description: "A replay sends what it missed.",
});

export const testWebhook = operation({
  ...onWebhook,
  name: "webhook.test",
  roles: owners,
  call: "POST webhooks/{id}/test",
  command: "webhooks test <endpoint>",
  answers: "webhookDetails",
  means: "The endpoint",
  summary: "Send `webhook.test` to an endpoint, whatever its events",
  description: "It is sent within seconds; its deliveries show the outcome.",
});

export const rotateWebhookSecret = operation({
  ...onWebhook,
  name: "webhook.rotate",
  roles: owners,
  call: "POST webhooks/{id}/rotate",
  command: "webhooks rotate <endpoint>",
  fields: {
    at_once: flag({
      label: "The former one leaked: end it at once",
      otherwise: false,
      about: "Stop signing with the former secret at once, because it leaked",
    }),
  },
  answers: "webhookRotated",
  means: "The endpoint with its new secret",
  summary: "Give an endpoint a new secret",
  description: "Only this answer shows it. The former secret is used as well for another 24 hours.",
});

export const removeWebhook = operation({
  ...onWebhook,
  name: "webhook.remove",
  roles: owners,
  call: "POST webhooks/{id}/remove",
  command: "webhooks remove <endpoint>",
  answers: "webhook",
  means: "The endpoint that was removed",
  summary: "Remove an endpoint and its deliveries",
});

/* Keys with which other systems look up orders, licences and customers */

export const listServerKeys = operation({
  name: "server_key.read",
  roles: owners,
  call: "GET keys",
  page: true,
  answers: "serverKey",
  means: "A page of the keys, oldest first",
  summary: "Every server key, by name only",
});

export const addServerKey = operation({
  name: "server_key.add",
  roles: owners,
  code: true,
  call: "POST keys",
  command: "keys add <name>",
  reason: "required",
  fields: { name: line({ label: "Name", most: mostOfAServerKeysName, hint: "Which system has it." }) },
  answers: "serverKeyMade",
  means: "The key",
  summary: "Make a server key",
  description: "It can read every order and email, and only this answer shows it.",
});

export const removeServerKey = operation({
  name: "server_key.remove",
  roles: owners,
  code: true,
  call: "POST keys/{id}/remove",
  command: "keys remove <name>",
  reason: "required",
  answers: "serverKey",
  means: "The key that was removed",
  summary: "Revoke a server key at once",
});

/* What the shop keeps failing to deliver */

export const listStuckJobs = operation({
  name: "outbox.read",
  roles: owners,
  call: "GET jobs",
  fields: { state: choice({ label: "State", choices: choicesOf(["stuck"]) }) },
  answers: "stuckJobs",
  means: "Those waiting longest first, at most 100",
  summary: "Deliveries that keep failing",
});

const onStuckJob = {
  id: idOf({ label: "Job", most: 400 }),
  answers: "outboxOutcome",
} as const;

export const retryStuckJob = operation({
  ...onStuckJob,
  name: "outbox.retry",
  roles: owners,
  call: "POST outbox/{id}/retry",
  command: "outbox retry <delivery>",
  reason: "optional",
  summary: "Try a delivery within seconds",
});

export const dropStuckJob = operation({
  ...onStuckJob,
  name: "outbox.drop",
  roles: owners,
  call: "POST outbox/{id}/drop",
  command: "outbox drop <delivery>",
  reason: "required",
  summary: "Give a delivery up for good",
});

/* What an owner is mailed about where nobody reads a staff channel */

export const showOwnerMails = operation({
  name: "owner_mail.read",
  permission: "owner_mail.choose",
  call: "GET me/notices",
  answers: "ownerMails",
  means: "By kind",
  summary: "What the calling owner is mailed about",
});

const mailed = { about: "Whether this owner is mailed about it" } as const;

export const chooseOwnerMails = operation({
  name: "owner_mail.choose",
  roles: ["owner"],
  call: "POST me/notices",
  fields: {
    disputes: flag({ label: "New disputes, with their deadline", ...mailed }),
    refund_proposals: flag({ label: "Proposed refunds", ...mailed }),
    address_proposals: flag({ label: "Proposed addresses of orders", ...mailed }),
    stuck_jobs: flag({ label: "Stuck jobs", ...mailed }),
    failed_backups: flag({ label: "Failed backups", ...mailed }),
  } satisfies Record<OwnerMailKind, unknown>,
  answers: "ownerMails",
  means: "By kind",
  summary: "Choose what you are mailed about",
  description:
    "At most one email an hour, and only where nobody reads a staff channel. Kinds that are left out stay as they are.",
});

/* What the shop was started with */

export const listSettings = operation({
  name: "settings.read",
  roles: owners,
  call: "GET settings",
  answers: "settings",
  means: "Every setting",
  summary: "The shop's settings, without secrets",
});
