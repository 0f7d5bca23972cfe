import { LabelBuilder, ModalBuilder, TextInputBuilder, TextInputStyle } from "discord.js";
import { brand } from "@/brand/brand";
import { spend } from "@/core/limits";
import { redeem as redeemKey } from "@/domain/licences/redeem";
import type { Command } from "../interactions/command-types";
import { date } from "../interactions/markdown";
import { linkFirst, ownAccount } from "./own-account";

/** The member types a key into a form, so that it never stands in the channel, and their account has it. */
export const redeem: Command = {
  data: { name: "redeem", description: "Redeem a license key for your connected account" },
  form: () =>
    new ModalBuilder()
      .setCustomId("redeem")
      .setTitle("Redeem a license key")
      .addLabelComponents(
        new LabelBuilder()
          .setLabel("License key")
          .setTextInputComponent(
            new TextInputBuilder()
              .setCustomId("key")
              .setPlaceholder(`${brand.keyPrefix}-XXXX-XXXX-XXXX-XXXX`)
              .setStyle(TextInputStyle.Short)
              .setMaxLength(64),
          ),
      ),
  async submitted(desk, form) {
    const account = await ownAccount(desk, form);
    if (!account) return linkFirst(desk);
    await spend(desk.ctx, desk.limits.redeem, account.id);
    const expires = await redeemKey(desk.ctx, account.id, form.fields.getTextInputValue("key"));
    return { content: `Redeemed. Your license ${expires ? `runs until ${date(expires)}` : "is for life"}.` };
  },
};
