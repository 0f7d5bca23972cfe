import type { Command } from "../interactions/command-types";
import { doors, linkFirst, ownAccount } from "./own-account";

/** The member learns where to connect their Discord account, or that it is connected. */
export const link: Command = {
  data: { name: "link", description: "Connect your Discord account to your license" },
  async answer(desk, asked) {
    const account = await ownAccount(desk, asked);
    if (!account) return linkFirst(desk);
    return {
      content: `You are connected to the account **${account.username}**.`,
      components: [doors(desk)],
    };
  },
};
