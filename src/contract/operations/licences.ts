import { mostAddedDays } from "../vocabulary/bounds";
import { mostDevices } from "../vocabulary/devices";
import { wholeNumber } from "../vocabulary/fields";
import { operation } from "./operation";

const common = { on: "licence", reason: "required", answers: "licence" } as const;

export const suspendLicence = operation({
  ...common,
  name: "licence.suspend",
  roles: ["operator", "owner", "support"],
  call: "POST licences/{id}/suspend",
  command: "licences suspend <licence>",
  summary: "Suspend a licence until it is reinstated",
});

export const reinstateLicence = operation({
  ...common,
  name: "licence.reinstate",
  roles: ["operator", "owner", "support"],
  call: "POST licences/{id}/reinstate",
  command: "licences reinstate <licence>",
  summary: "Reinstate a suspended licence",
});

export const revokeLicence = operation({
  ...common,
  name: "licence.revoke",
  roles: ["operator", "owner", "discord_support"],
  call: "POST licences/{id}/revoke",
  command: "licences revoke <licence>",
  summary: "Revoke a licence for good",
});

export const extendLicence = operation({
  ...common,
  name: "licence.extend",
  roles: ["operator", "owner", "support"],
  call: "POST licences/{id}/extend",
  command: "licences extend <licence> <days>",
  fields: { days: wholeNumber({ label: "Days", most: mostAddedDays, about: "how many" }) },
  summary: "Add days to a timed licence",
  description: "Support may add at most 30 days to a licence within 30 days (`extension_cap`).",
});

export const changeLicenceDevices = operation({
  ...common,
  name: "licence.change_devices",
  roles: ["operator", "owner"],
  call: "POST licences/{id}/devices",
  fields: { number: wholeNumber({ label: "Computers", most: mostDevices }) },
  summary: "Change on how many computers at a time a licence may be used",
});

export const rotateLicenceKey = operation({
  ...common,
  name: "licence.rotate_key",
  roles: ["operator", "owner"],
  call: "POST licences/{id}/rotate",
  command: "licences rotate <licence>",
  summary: "Give a licence a new key; the old one stops working at once",
});

export const revealLicenceKey = operation({
  ...common,
  name: "licence.reveal_key",
  roles: ["operator", "owner"],
  code: true,
  call: "POST licences/{id}/key",
  answers: "wholeKey",
  summary: "Show a licence's whole key; the log records who saw it",
});
