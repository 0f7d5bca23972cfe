import { ApplicationCommandOptionType as Option } from "discord.js";
import { findAccount } from "@/domain/customers/find";
import { unbindDevice } from "@/domain/devices/unbind";
import type { Command } from "../interactions/command-types";
import { plain } from "../interactions/markdown";
import { by, forStaff, nobody, reason } from "../interactions/staff-options";

/** Staff unbind a customer's device, so that another can be bound at once. */
export const device: Command = {
  staff: true,
  data: forStaff({
    name: "device",
    description: "The computer that an account is bound to",
    options: [
      {
        type: Option.Subcommand,
        name: "reset",
        description: "Unbind it",
        options: [
          {
            type: Option.String,
            name: "account",
            description: "A name, an email or a key",
            required: true,
            max_length: 254,
          },
          reason,
        ],
      },
    ],
  }),
  async answer({ ctx }, interaction) {
    const account = await findAccount(ctx, interaction.options.getString("account", true));
    if (!account) return nobody;
    await unbindDevice(ctx, account.id, by(interaction));
    return { content: `The device of **${plain(account.username)}** is unbound.` };
  },
};
