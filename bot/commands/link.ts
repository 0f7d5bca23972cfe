import type { Account } from "@/domain/accounts/sessions/account";
import { accountOfDiscordUser } from "@/domain/customers/find";
import type { Command, CommandContext, Reply } from "../interactions/command-types";
import { linkButton, row } from "../interactions/components";

/** Tells a member where to connect their Discord account, or that it is connected. */
export const link: Command = {
  data: { name: "link", description: "Connect your Discord account to your license" },
  async answer(context, interaction) {
    const account = await ownAccount(context, interaction);
    if (!account) return notLinkedReply(context);
    return {
      content: `You are connected to the account **${account.username}**.`,
      components: [accountLinks(context)],
    };
  },
};

/** The account that the member is connected to. */
export const ownAccount = (
  context: CommandContext,
  interaction: { user: { id: string } },
): Promise<Account | null> => accountOfDiscordUser(context.ctx, interaction.user.id);

/** The answer to a member without a connected account. */
export const notLinkedReply = (context: CommandContext): Reply => ({
  content:
    "Your Discord account isn't connected to an account with us yet. Register with your license key, or sign in, then press Authorize in the settings.",
  components: [accountLinks(context)],
});

const accountLinks = ({ publicUrl }: CommandContext) =>
  row([
    linkButton("Settings", new URL("/dashboard/settings", publicUrl)),
    linkButton("Register", new URL("/register", publicUrl)),
  ]);
