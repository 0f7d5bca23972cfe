import { Eraser, Gift, Link2, Link2Off, LogOut, Mail, MonitorX, ShieldOff } from "lucide-react";
import {
  changeCustomerEmail,
  eraseCustomer,
  grantLicence,
  linkCustomer,
  resetCustomerDevice,
  resetCustomerMfa,
  signCustomerOut,
  unlinkCustomer,
} from "@/contract/operations/customers";
import type { OfferRow } from "@/contract/wire/desk/offers";
import type { CustomerDetails } from "@/contract/wire/desk/details";
import { counted } from "../parts/format";
import { deskOperation } from "../operation/operation";
import type { OfferedOperations } from "../operation/use-allowed";

/** What staff may do to a customer. */
export function customerOperations(
  customer: CustomerDetails,
  offers: readonly OfferRow[],
  /** Without them, what is granted has its offer's level. */
  levels: Record<string, string> | null,
): OfferedOperations {
  const { id, username: name, link, devices } = customer;
  // a subscription runs for as long as it is paid, so it can't be given away
  const givable = offers.filter(({ state, recurring }) => state === "on_sale" && recurring === null);

  const resetDevice = deskOperation(resetCustomerDevice, {
    id,
    name: "Remove device",
    icon: MonitorX,
    consequence: ({ device }) => {
      const chosen = devices.filter(({ id }) => !device || id === device);
      const [only, ...others] = chosen;
      const what = only && others.length === 0 ? only.label : counted(chosen.length, "computer");
      const isOffline = chosen.some(({ offline_until: end }) => end !== null && new Date(end) > new Date());
      return `Removes ${what} from ${name}'s account. The application stops there until it's activated again.${isOffline ? " An offline license file keeps working until it expires." : ""}`;
    },
    fields: {
      device:
        devices.length > 1
          ? {
              choices: {
                "": "All computers",
                ...Object.fromEntries(devices.map((one) => [one.id, `${one.label} (${one.os})`])),
              },
            }
          : null,
    },
    done: () => `${name} can use another computer now`,
  });
  const signOut = deskOperation(signCustomerOut, {
    id,
    name: "Sign out everywhere",
    icon: LogOut,
    consequence: () => `Ends every session of ${name}, who then has to sign in again.`,
    done: () => `${name} is signed out everywhere`,
  });
  const changeEmail = deskOperation(changeCustomerEmail, {
    id,
    name: "Change email",
    icon: Mail,
    consequence: ({ email }) =>
      `Emails a link to ${email || "the new address"}. ${name}'s address stays ${customer.email} until the link is opened.`,
    fields: {
      ends_former: {
        label: `${customer.email} now belongs to someone else, and must not recover the account`,
      },
    },
    done: () => "A link to confirm the new address is on its way",
  });
  const resetMfa = deskOperation(resetCustomerMfa, {
    id,
    name: "Reset two-factor",
    icon: ShieldOff,
    grave: true,
    consequence: () => `Turns off two-factor for ${name}, who then signs in with only a password.`,
    done: () => `Two-factor is off for ${name}`,
  });
  const linkUser = deskOperation(linkCustomer, {
    id,
    name: "Link Discord user",
    icon: Link2,
    consequence: ({ discord_id }) =>
      `Links Discord user ${discord_id || "…"} to ${name}${link ? ` instead of ${link.name ?? link.discord_id}` : ""}. The role moves with the link.`,
    done: () => `${name} is linked`,
  });
  const unlink = deskOperation(unlinkCustomer, {
    id,
    name: "Unlink Discord user",
    icon: Link2Off,
    grave: true,
    consequence: () =>
      `Unlinks ${link?.name ?? link?.discord_id} from ${name}${link?.holds_role ? ", and removes that user's role" : ""}.`,
    done: () => `${name} is no longer linked`,
  });
  const grant = deskOperation(grantLicence, {
    id,
    name: "Grant a license",
    icon: Gift,
    consequence: ({ offer }) =>
      `Gives ${name} ${givable.find(({ id }) => id === offer)?.name ?? "a license"} for free.`,
    fields: {
      offer: {
        initial: givable[0]?.id ?? "",
        choices: Object.fromEntries(givable.map((one) => [one.id, one.name])),
      },
      level: levels && { choices: { "": "As its offer says", ...levels } },
    },
    done: () => `${name} has another license`,
  });
  const erase = deskOperation(eraseCustomer, {
    id,
    name: "Erase account",
    icon: Eraser,
    grave: true,
    consequence: () =>
      `Erases ${name}'s account for good: name, address, sessions, devices, notes and Discord link. This can't be undone.`,
    done: () => "The account is erased",
  });
  return [
    devices.length > 0 && resetDevice,
    changeEmail,
    signOut,
    givable.length > 0 && grant,
    linkUser,
    link !== null && unlink,
    customer.two_factor && resetMfa,
    erase,
  ];
}
