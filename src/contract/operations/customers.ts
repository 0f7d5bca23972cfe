import { maxDeskNoteLength } from "../vocabulary/bounds";
import { emailAddress, flag, idOf, text, word } from "../vocabulary/fields";
import { operation } from "./operation";

const onCustomer = { on: "customer", reason: "required", answers: "customer" } as const;
const byOwners = { ...onCustomer, roles: ["operator", "owner"], code: true } as const;

export const resetCustomerDevice = operation({
  ...onCustomer,
  name: "device.unbind",
  roles: ["operator", "owner", "support"],
  call: "POST customers/{id}/reset-device",
  command: "accounts reset-device <account>",
  fields: {
    device: idOf({
      label: "Computer",
      optional: true,
      about: "One of the customer's devices; all of them if left out",
    }),
  },
  summary: "Unbind a customer's computer",
});

export const resetCustomerMfa = operation({
  ...byOwners,
  name: "mfa.reset",
  call: "POST customers/{id}/reset-mfa",
  command: "accounts reset-mfa <account>",
  summary: "Turn two-factor off for a customer who lost their authenticator",
});

export const changeCustomerEmail = operation({
  ...byOwners,
  name: "account.request_email",
  call: "POST customers/{id}/change-email",
  command: "accounts change-email <account> <email>",
  fields: {
    email: emailAddress({
      label: "New email",
      about: "The new address; it takes effect once the customer confirms it",
    }),
    ends_former: flag({
      label: "The current address belongs to someone else now and must not take the account back",
      about:
        "The current address belongs to someone else now: neither it nor an earlier one takes the account back",
    }),
  },
  summary: "Send a link to a new address, which replaces the old one once the link is used",
});

export const signCustomerOut = operation({
  ...onCustomer,
  name: "session.end_all",
  roles: ["operator", "owner"],
  call: "POST customers/{id}/sign-out",
  command: "accounts sign-out <account>",
  summary: "End every session of a customer",
});

export const linkCustomer = operation({
  ...byOwners,
  name: "discord.relink",
  call: "POST customers/{id}/link",
  fields: {
    discord_id: word({
      label: "Discord id",
      hint: "17 to 20 digits",
      pattern: /^\d{17,20}$/,
      mistake: "a Discord user's id",
    }),
  },
  summary: "Link a customer to a Discord user, ending earlier links of both",
});

export const unlinkCustomer = operation({
  ...onCustomer,
  name: "discord.unlink",
  roles: ["operator", "owner", "customer"],
  code: true,
  call: "POST customers/{id}/unlink",
  command: "links remove <account>",
  summary: "End a customer's link to a Discord user",
});

export const eraseCustomer = operation({
  ...onCustomer,
  name: "account.erase",
  roles: ["operator", "owner", "customer"],
  code: true,
  call: "POST customers/{id}/erase",
  command: "accounts erase <account>",
  answers: "erasedCustomer",
  summary: "Delete a customer's account at their request",
});

export const grantLicence = operation({
  ...byOwners,
  name: "licence.grant",
  call: "POST customers/{id}/grant",
  command: "accounts grant <account> <offer>",
  fields: {
    offer: idOf({ label: "Offer", about: "The offer's id" }),
    level: idOf({ label: "Level", optional: true, about: "Another level than the offer's" }),
  },
  summary: "Give a customer a licence of an offer, which is added to their account right away",
});

export const noteOnCustomer = operation({
  name: "customer.note",
  roles: ["operator", "owner", "support"],
  call: "POST customers/{id}/notes",
  fields: { text: text({ label: "Note", most: maxDeskNoteLength }) },
  answers: "note",
  means: "The note",
  summary: "Write a note about a customer, for all staff",
  description: "It is deleted with the account, and is part of the account's export.",
});
