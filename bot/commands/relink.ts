import { ApplicationCommandOptionType as Option } from "discord.js";
import { findAccount } from "@/domain/customers/find";
import type { Command } from "../interactions/command-types";
import { deskLinkReply, byStaff } from "../interactions/actor";
import { account, forStaff, nobody, reason } from "../interactions/staff-options";

/** Staff connect an account to another member; the member connected before loses the role. */
export const relink: Command = {
  operation: "discord.relink",
  data: forStaff({
    name: "relink",
    description: "Connect an account to another member",
    options: [
      account,
      {
        type: Option.User,
        name: "member",
        description: "The member it belongs to from now on",
        required: true,
      },
      reason,
    ],
  }),
  async answer(context, interaction) {
    const found = await findAccount(context.ctx, interaction.options.getString("account", true));
    if (!found) return nobody;
    const member = interaction.options.getUser("member", true);
    if (member.bot) return { content: "A bot can't be a customer." };
    const { reason: why } = await byStaff(context, interaction);
    return deskLinkReply(context, interaction, {
      operation: "discord.relink",
      account: found.id,
      discordUserId: member.id,
      displayName: member.displayName,
      reason: why,
    });
  },
};
