import type { Command } from "../interactions/command-types";
import { accountLinks, linkFirst, ownAccount } from "./own-account";

/** Tells a member where to connect their Discord account, or that it is connected. */
export const link: Command = {
  data: { name: "link", description: "Connect your Discord account to your license" },
  async answer(context, interaction) {
    const account = await ownAccount(context, interaction);
    if (!account) return linkFirst(context);
    return {
      content: `You are connected to the account **${account.username}**.`,
      components: [accountLinks(context)],
    };
  },
};
