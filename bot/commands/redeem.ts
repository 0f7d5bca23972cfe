import { LabelBuilder, ModalBuilder, TextInputBuilder, TextInputStyle } from "discord.js";
import { brand } from "@/brand/brand";
import { maxTypedKeyLength } from "@/contract/vocabulary/typed-codes";
import { customer } from "@/core/base/actor";
import { spend } from "@/core/limits/limits";
import { redeem as redeemKey } from "@/domain/licences/changes/redeem";
import type { Command } from "../interactions/command-types";
import { date } from "../interactions/markdown";
import { notLinkedReply, ownAccount } from "./link";

/** Redeems a key for the member's account. They type it into a form, so that it never appears in the channel. */
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
              .setMaxLength(maxTypedKeyLength),
          ),
      ),
  async submitted(context, form) {
    const account = await ownAccount(context, form);
    if (!account) return notLinkedReply(context);
    await spend(context.ctx, context.limits.redeem, account.id);
    const expires = await redeemKey(context.ctx, customer(account.id), form.fields.getTextInputValue("key"));
    return { content: `Redeemed. Your license ${expires ? `runs until ${date(expires)}` : "never ends"}.` };
  },
};
