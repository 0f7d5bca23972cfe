import { ApplicationCommandOptionType as Option } from "discord.js";
import { commit } from "@/core/commit";
import { reconcile } from "@/domain/community/reconcile";
import { roleOf } from "@/domain/community/role-status";
import { linkStateOf } from "@/domain/community/links";
import type { Command } from "../interactions/command-types";
import { forStaff } from "../interactions/staff-options";

/** Staff have one member's role reconciled now, or everybody's soon, and read what is wrong with the bot's setup. */
export const sync: Command = {
  staff: true,
  data: forStaff({
    name: "sync",
    description: "Look at roles again: a member's, or everybody's",
    options: [{ type: Option.User, name: "member", description: "Whose; everybody's without" }],
  }),
  async answer({ ctx, guild, examine, survey }, interaction) {
    const complaints = await examine();
    const wrong = complaints.map(({ sentence }) => sentence).join("\n");
    const member = interaction.options.getUser("member");
    if (!member) {
      survey();
      return { content: wrong || "No problems found. All members are being checked." };
    }
    await commit(ctx.store, await reconcile(ctx, guild, member.id));
    const found = await linkStateOf(ctx, member.id);
    const role = await roleOf(ctx, {
      id: found?.link.accountId ?? "",
      entitled: found?.entitled ?? false,
    });
    return { content: [role.sentence, wrong].filter(Boolean).join("\n") };
  },
};
