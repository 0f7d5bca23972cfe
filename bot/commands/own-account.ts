import { ActionRowBuilder, ButtonBuilder, ButtonStyle } from "discord.js";
import type { Account } from "@/domain/accounts/account";
import { accountOfDiscordUser } from "@/domain/customers/find";
import type { Desk, Reply } from "../interactions/command-types";

/** The account that the person who asks is connected to. */
export const ownAccount = (desk: Desk, asked: { user: { id: string } }): Promise<Account | null> =>
  accountOfDiscordUser(desk.ctx, asked.user.id);

/** What somebody without a connected account is told. */
export const linkFirst = (desk: Desk): Reply => ({
  content:
    "Your Discord account is not connected to an account of ours yet. Register with your license key, or sign in, and press Authorize in the settings.",
  components: [doors(desk)],
});

export const doors = ({ publicUrl }: Desk) =>
  new ActionRowBuilder<ButtonBuilder>().addComponents(
    door("Settings", new URL("/dashboard/settings", publicUrl)),
    door("Register", new URL("/register", publicUrl)),
  );

const door = (label: string, url: URL) =>
  new ButtonBuilder().setStyle(ButtonStyle.Link).setLabel(label).setURL(url.href);
