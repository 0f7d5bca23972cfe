import { maxAddedDays } from "../vocabulary/bounds";
import { maxDevices } from "../vocabulary/devices";
import { flag, idOf, wholeNumber } from "../vocabulary/fields";
import { operation } from "./operation";

const common = { on: "licence", reason: "required", answers: "licence" } as const;
const byOwners = { ...common, roles: ["operator", "owner"] } as const;
const bySupport = { ...common, roles: ["operator", "owner", "support"] } as const;

export const suspendLicence = operation({
  ...bySupport,
  name: "licence.suspend",
  call: "POST licences/{id}/suspend",
  command: "licences suspend <licence>",
  summary: "Suspend a licence until it is reinstated",
});

export const reinstateLicence = operation({
  ...bySupport,
  name: "licence.reinstate",
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
  ...bySupport,
  name: "licence.extend",
  call: "POST licences/{id}/extend",
  command: "licences extend <licence> <days>",
  fields: { days: wholeNumber({ label: "Days", most: maxAddedDays, about: "how many" }) },
  summary: "Add days to a timed licence",
  description: "Support may add at most 30 days to a licence within 30 days (`extension_cap`).",
});

export const changeLicenceDevices = operation({
  ...byOwners,
  name: "licence.change_devices",
  call: "POST licences/{id}/devices",
  fields: { number: wholeNumber({ label: "Computers", most: maxDevices }) },
  summary: "Change on how many computers at a time a licence may be used",
});

export const changeLicenceLevel = operation({
  ...byOwners,
  name: "licence.change_level",
  code: true,
  call: "POST licences/{id}/level",
  command: "licences change-level <licence>",
  fields: {
    level: idOf({ label: "Level", optional: true, about: "The level's id" }),
    offer: flag({
      label: "As it was sold",
      about: "The level of its offer, or of its subscription's price, and no longer what staff set",
    }),
  },
  oneOf: ["level", "offer"],
  summary: "Give a licence another level than it was sold as",
  description: "Its key, its computers and its time stay.",
});

export const rotateLicenceKey = operation({
  ...byOwners,
  name: "licence.rotate_key",
  call: "POST licences/{id}/rotate",
  command: "licences rotate <licence>",
  summary: "Give a licence a new key; the old one stops working right away",
});

export const revealLicenceKey = operation({
  ...byOwners,
  name: "licence.reveal_key",
  code: true,
  call: "POST licences/{id}/key",
  answers: "wholeKey",
  summary: "Show a licence's whole key; the log records who saw it",
});
