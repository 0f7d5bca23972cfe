import {
  ApplicationCommandOptionType as Option,
  type APIApplicationCommandStringOption,
  type ChatInputCommandInteraction,
} from "discord.js";
import { maxTypedKeyLength } from "@/contract/vocabulary/typed-codes";
import { keyOf } from "@/domain/licences/keys/issue";
import { maskKey } from "@/domain/licences/keys/keys";
import { type LicenceChange, changeLicence } from "@/domain/licences/changes/change";
import { findLicence } from "@/domain/licences/keys/find";
import type { Command, CommandContext, Reply } from "../interactions/command-types";
import { deskLinkReply, byStaff } from "../interactions/actor";
import { forStaff, reason } from "../interactions/staff-options";
import { maxTermDays } from "@/contract/vocabulary/bounds";

const key: APIApplicationCommandStringOption = {
  type: Option.String,
  name: "key",
  description: "The key, whole or masked",
  required: true,
  max_length: maxTypedKeyLength,
};

const changes = {
  suspend: "Suspend a license until you reinstate it",
  reinstate: "Reinstate a suspended license",
  revoke: "Revoke a license for good",
} as const satisfies Record<LicenceChange, string>;

/** Staff issue, suspend, reinstate and revoke licences. */
export const licence: Command = {
  operation: {
    issue: "licence.issue",
    suspend: "licence.suspend",
    reinstate: "licence.reinstate",
    revoke: "licence.revoke",
  },
  data: forStaff({
    name: "licence",
    description: "Issue a license, or suspend, reinstate or revoke one",
    options: [
      {
        type: Option.Subcommand,
        name: "issue",
        description: "Issue a new key without a payment",
        options: [
          reason,
          {
            type: Option.Integer,
            name: "days",
            description: "For how many days; lifetime if left out",
            min_value: 1,
            max_value: maxTermDays,
          },
        ],
      },
      ...Object.entries(changes).map(([name, description]) => ({
        type: Option.Subcommand as const,
        name,
        description,
        options: [key, reason],
      })),
    ],
  }),
  answer: (context, interaction) => {
    const subcommand = interaction.options.getSubcommand();
    return subcommand === "issue"
      ? issue(context, interaction)
      : change(context, interaction, subcommand as LicenceChange);
  },
};

async function issue(context: CommandContext, interaction: ChatInputCommandInteraction): Promise<Reply> {
  const { reason } = await byStaff(context, interaction);
  const days = interaction.options.getInteger("days");
  return deskLinkReply(context, interaction, { operation: "licence.issue", days, reason });
}

async function change(
  { ctx, config }: CommandContext,
  interaction: ChatInputCommandInteraction,
  what: LicenceChange,
): Promise<Reply> {
  const found = await findLicence(ctx, interaction.options.getString("key", true));
  if (!found) return { content: "No license, or more than one, has that key." };
  await changeLicence(ctx, found, what, await byStaff({ ctx, config }, interaction));
  const done = { suspend: "suspended", reinstate: "active again", revoke: "revoked" }[what];
  return { content: `\`${maskKey(keyOf(ctx, found))}\` is ${done}.` };
}
