import { EmbedBuilder } from "discord.js";
import { brand } from "@/brand/brand";
import { customerOf } from "@/domain/customers/customer";
import type { Command } from "../interactions/command-types";
import { licenceLines } from "../interactions/markdown";
import { linkFirst, ownAccount } from "./own-account";

/** The member reads what licences they have, and why the role is or isn't there. */
export const premium: Command = {
  data: { name: "premium", description: `Your ${brand.premium.name} license and role` },
  async answer(desk, asked) {
    const account = await ownAccount(desk, asked);
    if (!account) return linkFirst(desk);
    const { licences, role } = await customerOf(desk.ctx, account);
    const embed = new EmbedBuilder()
      .setTitle(brand.premium.name)
      .addFields({ name: "Licenses", value: licenceLines(licences) }, { name: "Role", value: role.sentence });
    return { embeds: [embed] };
  },
};
