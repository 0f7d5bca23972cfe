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
import { topicOf } from "@/domain/tickets/topics";

/** Styles of buttons with a custom id. */
type PressableStyle = Exclude<ButtonStyle, ButtonStyle.Link | ButtonStyle.Premium>;
export type Row = ActionRowBuilder<ButtonBuilder>;

export const row = (buttons: ButtonBuilder[]): Row =>
  new ActionRowBuilder<ButtonBuilder>().addComponents(buttons);

export const button = (id: string, label: string, style: PressableStyle = ButtonStyle.Secondary) =>
  new ButtonBuilder().setCustomId(id).setLabel(label).setStyle(style);

export const linkButton = (label: string, url: URL) =>
  new ButtonBuilder().setStyle(ButtonStyle.Link).setLabel(label).setURL(url.href);

const mostOfAQuestion = 1_000;
const mostOfAReason = 300;

/** What a member is asked about a topic. */
export function questionForm(topic: string, memberId: string): ModalBuilder {
  const { name, ask } = topicOf(topic);
  return form(`ticket-question:${topic}:${memberId}`, name, { label: ask, most: mostOfAQuestion });
}

export const textForm = (customId: string, title: string, label: string): ModalBuilder =>
  form(customId, title, { label, most: mostOfAReason });

/** The same with an optional amount of money before it. */
export function amountForm(customId: string, title: string, labels: { amount: string; text: string }) {
  const amount = new TextInputBuilder()
    .setCustomId("amount")
    .setStyle(TextInputStyle.Short)
    .setRequired(false)
    .setMaxLength(12);
  const label = new LabelBuilder().setLabel(labels.amount.slice(0, 45)).setTextInputComponent(amount);
  const whole = textForm(customId, title, labels.text);
  return whole.spliceLabelComponents(0, 0, label);
}

/** What was typed into any of these forms. */
export const typed = (form: ModalSubmitInteraction): string => form.fields.getTextInputValue("text");
export const typedAmount = (form: ModalSubmitInteraction): string =>
  form.fields.getTextInputValue("amount").trim();

function form(
  customId: string,
  title: string,
  { label, most }: { label: string; most: number },
): ModalBuilder {
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
