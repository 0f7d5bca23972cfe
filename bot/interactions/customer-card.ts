import { EmbedBuilder } from "discord.js";
import { billInWords } from "@/domain/bills/bill";
import type { Customer } from "@/domain/customers/customer";
import { date, inert, plain } from "./markdown";

/** What staff see of a customer. */
export const customerCard = ({
  account,
  twoFactor,
  licences,
  payment,
  device,
  role,
}: Customer): EmbedBuilder =>
  new EmbedBuilder().setTitle(plain(account.username)).addFields(
    {
      name: "Account",
      value: `${plain(account.email)}, since ${date(account.createdAt)}${twoFactor ? ", two-factor on" : ""}`,
    },
    { name: "Licenses", value: licenceLines(licences) },
    { name: "Last payment", value: paymentLine(payment) },
    { name: "Device", value: deviceLine(device) },
    { name: "Discord", value: role.link ? `<@${role.link.discordUserId}>` : "Not connected", inline: true },
    { name: "Role", value: role.sentence },
  );

/** Up to ten licences, a line each. */
export const licenceLines = (licences: Customer["licences"]): string =>
  licences.length === 0
    ? "None"
    : licences
        .slice(0, 10)
        .map(({ masked, status, expiresAt }) => {
          const until = expiresAt === null ? "lifetime" : `until ${date(expiresAt)}`;
          return `\`${masked}\` ${status}${status === "active" ? `, ${until}` : ""}`;
        })
        .join("\n");

function paymentLine(payment: Customer["payment"]): string {
  if (!payment) return "None";
  const { bill, state, disputeStatus, at } = payment;
  return `${billInWords(bill)}, ${state}${disputeStatus ? ` (dispute: ${disputeStatus.replaceAll("_", " ")})` : ""}, ${date(at)}`;
}

function deviceLine(device: Customer["device"]): string {
  if (!device) return "None bound";
  const { label, resetAvailableAt: at } = device;
  return `${inert(label)}; the owner may reset it ${at ? `from ${date(at)}` : "now"}`;
}
