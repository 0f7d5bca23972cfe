import { ApplicationCommandOptionType as Option } from "discord.js";
import { findAccount } from "@/domain/customers/find";
import { unbindDevice } from "@/domain/devices/remove";
import type { Command } from "../interactions/command-types";
import { plain } from "../interactions/markdown";
import { byStaff } from "../interactions/actor";
import { account, forStaff, nobody, reason } from "../interactions/staff-options";

/** Staff unbind a customer's device, so that the customer can bind another at once. */
export const device: Command = {
  operation: "device.unbind",
  data: forStaff({
    name: "device",
    description: "The computer that an account is bound to",
    options: [
      {
        type: Option.Subcommand,
        name: "reset",
        description: "Reset it",
        options: [account, reason],
      },
    ],
  }),
  async answer({ ctx, config }, interaction) {
    const found = await findAccount(ctx, interaction.options.getString("account", true));
    if (!found) return nobody;
    await unbindDevice(ctx, found.id, await byStaff({ ctx, config }, interaction));
    return { content: `The device of **${plain(found.username)}** was reset.` };
  },
};
