import { ApplicationCommandOptionType as Option } from "discord.js";
import { commit } from "@/core/commit";
import { reconcile } from "@/domain/community/reconcile";
import { roleOf } from "@/domain/community/role-status";
import { linkStateOf } from "@/domain/community/links";
import type { Command } from "../interactions/command-types";
import { forStaff } from "../interactions/staff-options";

/** Staff have one member's role looked at now, or everybody's soon, and read what is wrong with the bot. */
export const sync: Command = {
  staff: true,
  data: forStaff({
    name: "sync",
    description: "Look at roles again: a member's, or everybody's",
    options: [{ type: Option.User, name: "member", description: "Whose; everybody's without" }],
  }),
  async answer({ ctx, duties }, asked) {
    const complaints = await duties.examine();
    const wrong = complaints.map(({ sentence }) => sentence).join("\n");
    const member = asked.options.getUser("member");
    if (!member) {
      duties.survey();
      return { content: wrong || "All is well. Everybody is being looked at." };
    }
    await commit(ctx.store, await reconcile(ctx, duties.guild, member.id));
    const link = await linkStateOf(ctx, member.id);
    const role = await roleOf(ctx, {
      id: link?.link.accountId ?? "",
      entitled: link?.entitled ?? false,
    });
    return { content: [role.sentence, wrong].filter(Boolean).join("\n") };
  },
};
