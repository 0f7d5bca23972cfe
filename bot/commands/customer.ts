import { ApplicationCommandOptionType as Option } from "discord.js";
import type { Account } from "@/domain/accounts/sessions/account";
import { accountOfDiscordUser, findAccount } from "@/domain/customers/find";
import { customerForStaff } from "@/domain/customers/for-staff";
import type { Command } from "../interactions/command-types";
import { customerCard } from "../interactions/customer-card";
import { account, forStaff, nobody } from "../interactions/staff-options";
import { staffOf } from "../interactions/actor";

/** Shows staff a customer, found by member, name, email or key. */
export const customer: Command = {
  operation: "customer.read",
  data: forStaff({
    name: "customer",
    description: "A customer's account, licenses, payment, device and role",
    options: [
      { type: Option.User, name: "member", description: "A member of this server" },
      { ...account, required: false },
    ],
  }),
  async answer({ ctx, config }, interaction) {
    const { options } = interaction;
    const member = options.getUser("member");
    const typed = options.getString("account");
    let found: Account | null = null;
    if (member) found = await accountOfDiscordUser(ctx, member.id);
    else if (typed) found = await findAccount(ctx, typed);
    if (!found) return nobody;
    const actor = await staffOf({ ctx, config }, interaction);
    return { embeds: [customerCard(await customerForStaff(ctx, actor, found))] };
  },
};
