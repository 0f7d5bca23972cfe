import { EmbedBuilder } from "discord.js";
import { billInWords } from "@/domain/bills/bill";
import type { Customer } from "@/domain/customers/customer";
import { date, inert, plain } from "./markdown";

/** What staff see of a customer. `paid` names the listed payments; by default, the last. */
export const customerCard = (
  { account, twoFactor, licences, payment, device, role }: Customer,
  paid: string = paymentLine(payment),
): EmbedBuilder =>
  new EmbedBuilder().setTitle(plain(account.username)).addFields(
    {
      name: "Account",
      value: `${plain(account.email)}, since ${date(account.createdAt)}${twoFactor ? ", two-factor on" : ""}`,
    },
    { name: "Licenses", value: licenceLines(licences) },
    { name: "Last payment", value: paid },
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
  return `${billInWords(bill)}, ${state}${disputeStatus ? ` (dispute: ${disputeStatus.replaceAll("_", " ")})` : ""}, ${date(at)}`;
}

function deviceLine(device: Customer["device"]): string {
  if (!device) return "None bound";
  const { label, resetAvailableAt: at } = device;
  return `${inert(label)}; the owner may reset it ${at ? `from ${date(at)}` : "now"}`;
}
