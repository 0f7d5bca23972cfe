import { ApplicationCommandOptionType as Option, EmbedBuilder } from "discord.js";
import { money } from "@/contract/money";
import type { Account } from "@/domain/accounts/account";
import { type Customer, customerOf } from "@/domain/customers/customer";
import { accountOfDiscordUser, findAccount } from "@/domain/customers/find";
import type { Command } from "../interactions/command-types";
import { date, inert, licenceLines, plain } from "../interactions/markdown";
import { forStaff, nobody } from "../interactions/staff-options";

/** Staff read a customer's card, found by member, name, email or key. */
export const customer: Command = {
  staff: true,
  data: forStaff({
    name: "customer",
    description: "A customer's account, licenses, payment, device and role",
    options: [
      { type: Option.User, name: "member", description: "A member of this server" },
      {
        type: Option.String,
        name: "account",
        description: "A name, an email or a key, whole or masked",
        max_length: 254,
      },
    ],
  }),
  async answer({ ctx }, { options }) {
    const member = options.getUser("member");
    const typed = options.getString("account");
    let account: Account | null = null;
    if (member) account = await accountOfDiscordUser(ctx, member.id);
    else if (typed) account = await findAccount(ctx, typed);
    return account ? { embeds: [card(await customerOf(ctx, account))] } : nobody;
  },
};

/** What staff see of a customer. */
export const card = ({ account, twoFactor, licences, payment, device, role }: Customer): EmbedBuilder =>
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

function paymentLine(payment: Customer["payment"]): string {
  if (!payment) return "None";
  const { amount, currency, state, disputeStatus, at } = payment;
  const sum = money(amount, currency);
  return `${sum}, ${state}${disputeStatus ? ` (dispute: ${disputeStatus.replaceAll("_", " ")})` : ""}, ${date(at)}`;
}

function deviceLine(device: Customer["device"]): string {
  if (!device) return "None bound";
  const { label, resetAvailableAt: at } = device;
  return `${inert(label)}; the owner may reset it ${at ? `from ${date(at)}` : "now"}`;
}
