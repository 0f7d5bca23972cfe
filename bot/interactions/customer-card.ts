import type { EmbedBuilder } from "discord.js";
import { money } from "@/contract/vocabulary/money";
import { licenceWords, lowerWord, paymentWords, subscriptionWords } from "@/contract/vocabulary/state-words";
import { billInWords } from "@/domain/bills/bill";
import type { Customer } from "@/domain/customers/customer";
import { wireStatus } from "@/domain/licences/entitlement/entitlement";
import { newEmbed } from "./components";
import { cut, date, inert, levelNames, plain } from "./markdown";

/** What staff see of a customer. `paid` names the listed payments; by default, the last. */
export const customerCard = (
  { account, twoFactor, licences, payment, subscriptions, device, devices, role }: Customer,
  paid: string = paymentLine(payment),
): EmbedBuilder =>
  newEmbed()
    .setTitle(plain(account.username))
    .addFields(
      {
        name: "Account",
        value: `${emailOf(account)}, since ${date(account.createdAt)}${twoFactor ? ", two-factor on" : ""}`,
      },
      { name: "Licenses", value: licenceLines(licences) },
      ...(subscriptions.length > 0
        ? [{ name: "Subscriptions", value: subscriptions.map(subscriptionLine).join("\n") }]
        : []),
      { name: "Last payment", value: paid },
      devices.used > 1 || devices.places > 1
        ? { name: "Devices", value: deviceLines(devices) }
        : { name: "Device", value: deviceLine(device) },
      { name: "Discord", value: role.link ? `<@${role.link.discordUserId}>` : "Not connected", inline: true },
      {
        name: "Role",
        value: roleWords[role.reason] + (role.names === null ? "" : `: ${levelNames(role.names)}`),
      },
    );

const roleWords: Record<Customer["role"]["reason"], string> = {
  held: "Has it",
  off: "Discord is off",
  not_linked: "Not connected",
  no_license: "No active license",
  no_role: "None comes with the license",
  banned: "Banned from the server",
  too_many_servers: "In too many servers to join",
  not_member: "Not in the server",
  pending: "On its way",
};

/** Anybody can type another's address. */
const emailOf = ({ email, emailConfirmedAt }: Customer["account"]): string =>
  email === null ? "No address" : `${plain(email)}${emailConfirmedAt === null ? " (not confirmed)" : ""}`;

/** Up to ten licences, a line each. */
export const licenceLines = (licences: Customer["licences"]): string =>
  licences.length === 0
    ? "None"
    : withinField(
        licences.slice(0, 10).map(({ masked, level, status, endsAt }) => {
          const until = endsAt === null ? "lifetime" : `until ${date(endsAt)}`;
          const named = level === null ? "" : `${plain(cut(level, 40))} `;
          return `\`${masked}\` ${named}${lowerWord(licenceWords[wireStatus(status)])}${status === "active" ? `, ${until}` : ""}`;
        }),
      );

/** `USD 3.00 a month, active, renews on December 27, 2026 for USD 3.00` */
function subscriptionLine(one: Customer["subscriptions"][number]): string {
  const { amount, currency, every, status, renewsAt, nextAmount, endsAt } = one;
  const next = nextAmount === null ? "" : ` for ${money(nextAmount, currency)}`;
  const renews = renewsAt ? [`renews on ${date(renewsAt)}${next}`] : [];
  const ends = endsAt ? [`${status === "ended" ? "ended" : "ends"} on ${date(endsAt)}`] : [];
  return [
    `${money(amount, currency)} a ${every}`,
    lowerWord(subscriptionWords[status]),
    ...renews,
    ...ends,
  ].join(", ");
}

/** The payment that a refund would refund, with its name at Stripe; and a disputed payment since then. */
export function refundableLines({ payment, refundable }: Customer): string {
  if (!refundable) return paymentLine(payment);
  const isNewer = payment !== null && payment.id !== refundable.id && payment.state === "disputed";
  const line = `${paymentLine(refundable)}, ${refundable.intentId}`;
  return isNewer ? `${line}\nSince then: ${paymentLine(payment)}` : line;
}

function paymentLine(payment: Customer["payment"]): string {
  if (!payment) return "None";
  const { bill, state, disputeStatus, at } = payment;
  return `${billInWords(bill)}, ${lowerWord(paymentWords[state])}${disputeStatus ? ` (dispute: ${disputeStatus.replaceAll("_", " ")})` : ""}, ${date(at)}`;
}

/** How many of the seats are taken, and the computers last seen, a line each. */
function deviceLines({ used, places, seen }: Customer["devices"]): string {
  const lines = seen.map(({ label, os, active, removableAt: at }) => {
    const free = active
      ? `the owner may remove it ${at ? `from ${date(at)}` : "now"}`
      : "no seat left for it";
    return `${inert(label)} (${inert(os)}); ${free}`;
  });
  const more = used > seen.length ? [`and ${used - seen.length} more`] : [];
  return withinField([`${used} of ${places} seats`, ...lines, ...more]);
}

/** Discord refuses a field of more than 1,024 characters: leaves out what no longer fits. */
function withinField(lines: string[]): string {
  let text = "";
  for (const line of lines) {
    if (text.length + line.length + 1 > 1_000) return `${text}\n…`;
    text += text ? `\n${line}` : line;
  }
  return text;
}

function deviceLine(device: Customer["device"]): string {
  if (!device) return "None bound";
  const { label, resetAvailableAt: at } = device;
  return `${inert(label)}; the owner may reset it ${at ? `from ${date(at)}` : "now"}`;
}
