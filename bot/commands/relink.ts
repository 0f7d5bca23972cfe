import { ApplicationCommandOptionType as Option } from "discord.js";
import { moveLink } from "@/domain/discord/change-link";
import { findAccount } from "@/domain/customers/find";
import type { Command } from "../interactions/command-types";
import { plain } from "../interactions/markdown";
import { byStaff } from "../interactions/actor";
import { account, forStaff, nobody, reason } from "../interactions/staff-options";

/** Staff connect an account to another member; the member connected before loses the role. */
export const relink: Command = {
  operation: "discord.relink",
  data: forStaff({
    name: "relink",
    description: "Connect an account to another member",
    options: [
      account,
      { type: Option.User, name: "member", description: "Who it belongs to from now on", required: true },
      reason,
    ],
  }),
  async answer({ ctx, config }, interaction) {
    const found = await findAccount(ctx, interaction.options.getString("account", true));
    if (!found) return nobody;
    const member = interaction.options.getUser("member", true);
    if (member.bot) return { content: "A bot can't be a customer." };
    await moveLink(ctx, {
      accountId: found.id,
      discordUserId: member.id,
      displayName: member.displayName,
      ...(await byStaff({ ctx, config }, interaction)),
    });
    return { content: `**${plain(found.username)}** now belongs to <@${member.id}>.` };
  },
};
