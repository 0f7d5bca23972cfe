import { brand } from "@/brand/brand";
import { customerOf } from "@/domain/customers/customer";
import type { Command } from "../interactions/command-types";
import { newEmbed } from "../interactions/components";
import { licenceLines } from "../interactions/customer-card";
import { cut, levelNames, plain } from "../interactions/markdown";
import { notLinkedReply, ownAccount } from "./link";

/** Shows a member their licences, and why they do or don't have the role. */
export const premium: Command = {
  data: { name: "premium", description: `Your ${brand.premium.name} license and role` },
  async answer(context, interaction) {
    const account = await ownAccount(context, interaction);
    if (!account) return notLinkedReply(context);
    const { licences, role } = await customerOf(context.ctx, account);
    const embed = newEmbed()
      .setTitle(levelNames(role.names ?? brand.premium.name))
      .addFields(
        { name: "Licenses", value: licenceLines(licences) },
        { name: "Role", value: plain(cut(role.sentence, 500)) },
      );
    return { embeds: [embed] };
  },
};
