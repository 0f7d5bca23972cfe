import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  LabelBuilder,
  ModalBuilder,
  type ModalSubmitInteraction,
  TextInputBuilder,
  TextInputStyle,
} from "discord.js";

/** Styles of buttons with a custom id. */
type PressableStyle = Exclude<ButtonStyle, ButtonStyle.Link | ButtonStyle.Premium>;
export type Row = ActionRowBuilder<ButtonBuilder>;

export const row = (buttons: ButtonBuilder[]): Row =>
  new ActionRowBuilder<ButtonBuilder>().addComponents(buttons);

export const button = (id: string, label: string, style: PressableStyle = ButtonStyle.Secondary) =>
  new ButtonBuilder().setCustomId(id).setLabel(label).setStyle(style);

export const linkButton = (label: string, url: URL) =>
  new ButtonBuilder().setStyle(ButtonStyle.Link).setLabel(label).setURL(url.href);

const mostOfAReason = 300;

/** A form for one text of up to `most` characters. */
export function textForm(customId: string, title: string, label: string, most = mostOfAReason): ModalBuilder {
  const input = new TextInputBuilder()
    .setCustomId("text")
    .setStyle(TextInputStyle.Paragraph)
    .setMinLength(3)
    .setMaxLength(most);
  return new ModalBuilder()
    .setCustomId(customId)
    .setTitle(title)
    .addLabelComponents(new LabelBuilder().setLabel(label.slice(0, 45)).setTextInputComponent(input));
}

/** The same with an optional amount of money before it. */
export function amountForm(customId: string, title: string, labels: { amount: string; text: string }) {
  const amount = new TextInputBuilder()
    .setCustomId("amount")
    .setStyle(TextInputStyle.Short)
    .setRequired(false)
    .setMaxLength(12);
  const label = new LabelBuilder().setLabel(labels.amount.slice(0, 45)).setTextInputComponent(amount);
  return textForm(customId, title, labels.text).spliceLabelComponents(0, 0, label);
}

/** What was typed into any of these forms. */
export const typed = (form: ModalSubmitInteraction): string => form.fields.getTextInputValue("text");
export const typedAmount = (form: ModalSubmitInteraction): string =>
  form.fields.getTextInputValue("amount").trim();
