import { ApplicationCommandOptionType as Option } from "discord.js";
import { GuildForbids, GuildUnavailable } from "@/domain/discord/guild";
import { syncRole } from "@/domain/discord/sync-role";
import { maxMessageCharacters } from "../discord/posts";
import type { Command } from "../interactions/command-types";
import { cut } from "../interactions/markdown";
import { forStaff } from "../interactions/staff-options";
import { staffOf } from "../interactions/actor";

/** Staff recheck one member's role now, or everybody's soon, and read what is wrong with the bot's setup. */
export const sync: Command = {
  operation: "discord.sync_role",
  data: forStaff({
    name: "sync",
    description: "Recheck a member's role, or everyone's",
    options: [{ type: Option.User, name: "member", description: "Whose role; everyone's if left out" }],
  }),
  async answer({ ctx, config, reconcile, examine, reconcileMembers }, interaction) {
    const complaints = await examine();
    const wrong = cut(complaints.map(({ sentence }) => sentence).join("\n"), maxMessageCharacters);
    const member = interaction.options.getUser("member");
    if (!member) {
      reconcileMembers();
      return { content: wrong || "No problems found. All members are being checked." };
    }
    try {
      const actor = await staffOf({ ctx, config }, interaction);
      const { sentence } = await syncRole(ctx, reconcile, member.id, { actor });
      return { content: cut([sentence, wrong].filter(Boolean).join("\n"), maxMessageCharacters) };
    } catch (error) {
      // the complaint says more than Discord's refusal
      if (wrong && (error instanceof GuildUnavailable || error instanceof GuildForbids))
        return { content: wrong };
      throw error;
    }
  },
};
