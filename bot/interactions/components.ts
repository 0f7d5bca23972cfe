import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  EmbedBuilder,
  LabelBuilder,
  ModalBuilder,
  type ModalSubmitInteraction,
  TextInputBuilder,
  TextInputStyle,
} from "discord.js";
import { theLook } from "@/brand/look";
import { maxNoteLength, reasonLength } from "@/contract/vocabulary/bounds";

/** Styles of buttons with a custom id. */
type PressableStyle = Exclude<ButtonStyle, ButtonStyle.Link | ButtonStyle.Premium>;
export type Row = ActionRowBuilder<ButtonBuilder>;

/** With the brand's color at its side. */
export const newEmbed = (): EmbedBuilder => new EmbedBuilder().setColor(theLook.colors.embed);

export const row = (buttons: ButtonBuilder[]): Row =>
  new ActionRowBuilder<ButtonBuilder>().addComponents(buttons);

export const button = (id: string, label: string, style: PressableStyle = ButtonStyle.Secondary) =>
  new ButtonBuilder().setCustomId(id).setLabel(label).setStyle(style);

export const linkButton = (label: string, url: URL) =>
  new ButtonBuilder().setStyle(ButtonStyle.Link).setLabel(label).setURL(url.href);

/** A form for one text of up to `most` characters. */
export function textForm(
  customId: string,
  title: string,
  label: string,
  most = reasonLength.most,
): ModalBuilder {
  const input = paragraph("text").setMinLength(reasonLength.least).setMaxLength(most);
  return new ModalBuilder().setCustomId(customId).setTitle(title).addLabelComponents(withLabel(label, input));
}

/** A form for a text, with an optional amount of money before it; `says` is a sentence about the amount. */
export function amountForm(
  customId: string,
  title: string,
  labels: { amount: string; description: string | null; text: string },
) {
  const amount = new TextInputBuilder()
    .setCustomId("amount")
    .setStyle(TextInputStyle.Short)
    .setRequired(false)
    .setMaxLength(12);
  const label = withLabel(labels.amount, amount, labels.description);
  return textForm(customId, title, labels.text).spliceLabelComponents(0, 0, label);
}

/** A form for a text and an optional note, with a sentence about each. */
export function closingForm(
  customId: string,
  title: string,
  labels: { text: string; textSays: string; note: string; noteSays: string },
) {
  const text = paragraph("text").setMinLength(reasonLength.least).setMaxLength(reasonLength.most);
  const note = paragraph("note").setRequired(false).setMaxLength(maxNoteLength);
  return new ModalBuilder()
    .setCustomId(customId)
    .setTitle(title)
    .addLabelComponents(
      withLabel(labels.text, text, labels.textSays),
      withLabel(labels.note, note, labels.noteSays),
    );
}

const paragraph = (id: string) => new TextInputBuilder().setCustomId(id).setStyle(TextInputStyle.Paragraph);

/** Discord's limits are 45 characters for a label and 100 for the description below. */
function withLabel(label: string, input: TextInputBuilder, description: string | null = null): LabelBuilder {
  const built = new LabelBuilder().setLabel(label.slice(0, 45)).setTextInputComponent(input);
  return description === null ? built : built.setDescription(description.slice(0, 100).toWellFormed());
}

/** The text typed into any of these forms. */
export const typedText = (form: ModalSubmitInteraction): string => form.fields.getTextInputValue("text");
export const typedAmount = (form: ModalSubmitInteraction): string =>
  form.fields.getTextInputValue("amount").trim();
export const typedNote = (form: ModalSubmitInteraction): string =>
  form.fields.getTextInputValue("note").trim();
