import {
  LabelBuilder,
  ModalBuilder,
  type ModalSubmitInteraction,
  TextInputBuilder,
  TextInputStyle,
} from "discord.js";
import { topicOf } from "./messages";

const mostOfAQuestion = 1_000;
const mostOfAReason = 300;

/** What a member is asked about a topic. */
export function questionForm(topic: string, memberId: string): ModalBuilder {
  const { name, ask } = topicOf(topic);
  return form(`ticket-question:${topic}:${memberId}`, name, { label: ask, most: mostOfAQuestion });
}

export const textForm = (customId: string, title: string, label: string): ModalBuilder =>
  form(customId, title, { label, most: mostOfAReason });

/** What was typed into either. */
export const typed = (form: ModalSubmitInteraction): string => form.fields.getTextInputValue("text");

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
