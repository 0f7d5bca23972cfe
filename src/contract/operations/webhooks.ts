import { maxServerKeyNameLength } from "../vocabulary/bounds";
import { choice, choicesOf, flag, idOf, instant, line, schemaNamed } from "../vocabulary/fields";
import { deliveryStates } from "../vocabulary/kinds";
import { operation } from "./operation";

const owners = ["operator", "owner"] as const;
const changes = { roles: owners, code: true, reason: "required" } as const;

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
  ...changes,
  name: "webhook.replay",
  call: "POST webhooks/replay",
  fields: {
    id: idOf({ label: "Event or delivery", optional: true, about: "An event's or a delivery's id" }),
    since: instant({
      label: "Since",
      optional: true,
      hint: "In your time zone. Events are kept for 30 days.",
    }),
    endpoint: idOf({ label: "Endpoint", optional: true, about: "Only to this endpoint" }),
  },
  oneOf: ["id", "since"],
  answers: "replayed",
  means: "What is sent again",
  summary: "Resend a delivery, an event, or everything since a time",
  description:
    "Ids and bodies stay the same. If it takes longer than a few seconds, it continues after the answer (`finished: false`).",
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
  hint: "Choose what it listens to. Leave all unchecked for every event, including later ones.",
} as const;

export const addWebhook = operation({
  ...changes,
  name: "webhook.add",
  call: "POST webhooks",
  command: "webhooks add <url>",
  fields: {
    url: idOf(address),
    events: schemaNamed({ ...events, otherwise: null, about: "null: all, including later ones" }),
  },
  answers: "webhookWithSecret",
  means: "The endpoint with its secret",
  summary: "Add an endpoint, which gets events from now on",
  description: "Only this answer shows the secret that signs them.",
});

const onWebhook = { ...changes, answers: "webhook", means: "The endpoint" } as const;

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
  call: "POST webhooks/{id}/change",
  command: "webhooks change <endpoint>",
  fields: {
    url: idOf({ ...address, optional: true }),
    events: schemaNamed({ ...events, optional: true }),
  },
  someOf: ["url", "events"],
  summary: "Change an endpoint's URL or events",
  description: "Its secret stays.",
});

export const enableWebhook = operation({
  ...onWebhook,
  name: "webhook.enable",
  call: "POST webhooks/{id}/enable",
  command: "webhooks enable <endpoint>",
  summary: "Enable a disabled endpoint from the next event on",
  description: "A replay sends what it missed.",
});

export const testWebhook = operation({
  ...onWebhook,
  name: "webhook.test",
  call: "POST webhooks/{id}/test",
  command: "webhooks test <endpoint>",
  answers: "webhookDetails",
  summary: "Send `webhook.test` to an endpoint, whatever its events",
  description: "It is sent within seconds; its deliveries show the outcome.",
});

export const rotateWebhookSecret = operation({
  ...onWebhook,
  name: "webhook.rotate",
  call: "POST webhooks/{id}/rotate",
  command: "webhooks rotate <endpoint>",
  fields: {
    at_once: flag({
      label: "The old secret leaked: revoke it right away",
      otherwise: false,
      about: "Stop signing with the former secret right away, because it leaked",
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
  call: "POST webhooks/{id}/remove",
  command: "webhooks remove <endpoint>",
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
  ...changes,
  name: "server_key.add",
  call: "POST keys",
  command: "keys add <name>",
  fields: { name: line({ label: "Name", most: maxServerKeyNameLength, hint: "Which system uses it." }) },
  answers: "serverKeyMade",
  means: "The key",
  summary: "Create a server key",
  description: "It can read every order and email, and only this answer shows it.",
});

export const removeServerKey = operation({
  ...changes,
  name: "server_key.remove",
  call: "POST keys/{id}/remove",
  command: "keys remove <name>",
  answers: "serverKey",
  means: "The key that was removed",
  summary: "Revoke a server key right away",
});
