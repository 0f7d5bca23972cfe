import { ActionRowBuilder, ButtonBuilder, ButtonStyle } from "discord.js";

/** Looks of a button that does something here. */
type Pressable = Exclude<ButtonStyle, ButtonStyle.Link | ButtonStyle.Premium>;
export type Row = ActionRowBuilder<ButtonBuilder>;

export const row = (buttons: ButtonBuilder[]): Row =>
  new ActionRowBuilder<ButtonBuilder>().addComponents(buttons);

export const button = (id: string, label: string, style: Pressable = ButtonStyle.Secondary) =>
  new ButtonBuilder().setCustomId(id).setLabel(label).setStyle(style);

export const door = (label: string, url: URL) =>
  new ButtonBuilder().setStyle(ButtonStyle.Link).setLabel(label).setURL(url.href);
