import { Eraser, Gift, Link2, Link2Off, LogOut, Mail, MonitorX, ShieldOff } from "lucide-react";
import type { CustomerDetails } from "@/contract/wire/desk/details";
import type { Offer } from "@/contract/wire/offers";
import { writeDesk } from "../../../api/desk/call";
import type { StaffRole } from "../../../api/desk/session";
import { counted } from "../parts/format";
import type { Operation } from "../operation/operation";
import { allowed } from "../operation/rights";

/** What this role may do to a customer. */
export function customerOperations(
  role: StaffRole,
  customer: CustomerDetails,
  offers: readonly Offer[],
): Operation[] {
  const { username: name, link, devices } = customer;
  const send = (verb: string, body: object) => writeDesk(`customers/${customer.id}/${verb}`, body);

  const resetDevice: Operation = {
    name: "Remove device",
    icon: MonitorX,
    consequence: ({ device }) => {
      const chosen = devices.filter(({ id }) => !device || id === device);
      const [only, ...others] = chosen;
      const what = only && others.length === 0 ? only.label : counted(chosen.length, "computer");
      const isOffline = chosen.some(({ offline_until: end }) => end !== null && new Date(end) > new Date());
      return `Removes ${what} from ${name}'s account: the application stops there until it is activated again.${isOffline ? " A license file that was made goes on where it is until it ends." : ""}`;
    },
    ...(devices.length > 1 && {
      fields: [
        {
          name: "device",
          label: "Computer",
          optional: true as const,
          choices: {
            "": "All of them",
            ...Object.fromEntries(devices.map(({ id, label, os }) => [id, `${label} (${os})`])),
          },
        },
      ],
    }),
    run: ({ device }, reason) => send("reset-device", { ...(device && { device }), reason }),
    done: () => `${name} can use another computer now`,
  };
  const signOut: Operation = {
    name: "Sign out everywhere",
    icon: LogOut,
    consequence: () => `Ends every session of ${name}: they sign in again wherever they were.`,
    run: (_, reason) => send("sign-out", { reason }),
    done: () => `${name} is signed out everywhere`,
  };
  const changeEmail: Operation = {
    name: "Change email",
    icon: Mail,
    consequence: ({ email }) =>
      `Mails a link to ${email || "the new address"}. ${name}'s address is ${customer.email} until it is opened.`,
    fields: [
      { name: "email", label: "New email", type: "email" },
      {
        name: "ends_former",
        label: `${customer.email} is somebody else's by now, and must not take the account back`,
        type: "check",
        optional: true,
      },
    ],
    run: ({ email, ends_former }, reason) =>
      send("change-email", { email, ...(ends_former === "on" && { ends_former: true }), reason }),
    done: () => "A link to confirm the new address is on its way",
  };
  const resetMfa: Operation = {
    name: "Reset two-factor",
    icon: ShieldOff,
    grave: true,
    consequence: () => `Turns two-factor off for ${name}: their password alone signs in then.`,
    run: (_, reason) => send("reset-mfa", { reason }),
    done: () => `Two-factor is off for ${name}`,
  };
  const linkUser: Operation = {
    name: "Link Discord user",
    icon: Link2,
    consequence: ({ discord_id }) =>
      `Links Discord user ${discord_id || "…"} to ${name}${link ? ` instead of ${link.name ?? link.discord_id}` : ""}; the role goes with the link.`,
    fields: [{ name: "discord_id", label: "Discord id", hint: "17 to 20 digits" }],
    run: ({ discord_id }, reason) => send("link", { discord_id, reason }),
    done: () => `${name} is linked`,
  };
  const unlink: Operation = {
    name: "Unlink Discord user",
    icon: Link2Off,
    grave: true,
    consequence: () =>
      `Takes the link to ${link?.name ?? link?.discord_id} from ${name}${link?.holds_role ? ", and the role from that Discord user" : ""}.`,
    run: (_, reason) => send("unlink", { reason }),
    done: () => `${name} is no longer linked`,
  };
  const grant: Operation = {
    name: "Grant a license",
    icon: Gift,
    consequence: ({ offer }) =>
      `Puts ${offers.find(({ id }) => id === offer)?.name ?? "a license"} on ${name}'s account, without a payment.`,
    fields: [
      {
        name: "offer",
        label: "Offer",
        initial: offers[0]?.id ?? "",
        choices: Object.fromEntries(offers.map(({ id, name: words }) => [id, words])),
      },
    ],
    run: ({ offer }, reason) => send("grant", { offer, reason }),
    done: () => `${name} has another license`,
  };
  const erase: Operation = {
    name: "Erase account",
    icon: Eraser,
    grave: true,
    consequence: () =>
      `Erases ${name}'s account for good: name, address, sessions, devices, notes and Discord link. Nobody can bring it back.`,
    run: (_, reason) => send("erase", { reason }),
    done: () => "The account is erased",
  };
  return allowed(role, [
    ["reset-device", devices.length > 0 ? resetDevice : null],
    ["sign-out", signOut],
    ["grant", offers.length > 0 ? grant : null],
    ["change-email", changeEmail],
    ["link", linkUser],
    ["unlink", link ? unlink : null],
    ["reset-mfa", customer.two_factor ? resetMfa : null],
    ["erase", erase],
  ]);
}
