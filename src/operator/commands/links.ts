import { Command, InvalidArgumentError } from "commander";
import { discordId } from "@/contract/wire/discord";
import { plainTyped } from "@/contract/vocabulary/typed-codes";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import type { Account } from "@/domain/accounts/sessions/account";
import { moveLink } from "@/domain/discord/change-link";
import { linkOf } from "@/domain/discord/links";
import { customerOf } from "@/domain/customers/customer";
import { accountNamed, accountOfDiscordUser } from "@/domain/customers/find";
import { customerOperations } from "@/domain/operations/customers";
import { withShop, byOperator, print, withJson, withReason } from "../terminal/command-line";
import { addOperation } from "../terminal/operation-command";
import { facts, stamp } from "../terminal/table";
import { typedOrPiped } from "../terminal/arguments";

type MoveOptions = { toUser?: string; toAccount?: string; replace?: boolean; reason: string; json?: boolean };

const which = "an account's id, name, email or key, or its Discord user's id";

/** `shop links …` */
export function linkCommand(): Command {
  const noun = new Command("links").description("which account belongs to which Discord user");
  withJson(noun.command("show <account>"), "links show ada", "links show 123456789012345678")
    .description(`an account's Discord user, and why it has the role or not; ${which}`)
    .action((typed: string, { json }: { json?: boolean }) => withShop(({ ctx }) => show(ctx, typed, json)));
  withReason(
    noun.command("move <account>"),
    'links move ada --to-user 123456789012345678 --reason "lost the old Discord account"',
    'links move old-ada --to-account ada --reason "registered twice"',
  )
    .description(
      `connect an account to another Discord user, or its Discord user to another account; ${which}`,
    )
    .option("--to-user <id>", "connect the account to this Discord user", userId)
    .option("--to-account <account>", "connect the Discord user to this account")
    .option("--replace", "even if the other side is already connected: that connection ends")
    .action((typed: string, options: MoveOptions, command: Command) => move(typed, options, command));
  addOperation(noun, customerOperations.unlinkCustomer, {
    description: `disconnect an account and remove its role; ${which}`,
    examples: ['links remove ada --reason "asked in ticket 12"'],
    subject: { about: which, find: accountOf },
    output: ({ subject: { username } }) => `${username} is no longer connected to a Discord user.`,
  });
  return noun;
}

async function show(ctx: Ctx, typed: string, json: boolean | undefined): Promise<void> {
  const account = await accountOf(ctx, await typedOrPiped(typed));
  const { link, reason, sentence } = (await customerOf(ctx, account)).role;
  const output = {
    account: { id: account.id, username: account.username },
    discord_user: link?.discordUserId ?? null,
    name: link?.displayName ?? null,
    linked_at: link?.linkedAt ?? null,
    role: reason,
  };
  const lines = [
    ["account", `${account.username} (${account.id})`],
    ["Discord user", link && `${link.discordUserId}${link.displayName ? ` (${link.displayName})` : ""}`],
    ["since", link && stamp(link.linkedAt)],
    ["role", reason],
    ["shown to them", sentence],
  ];
  print(json, output, facts(lines));
}

async function move(typed: string, options: MoveOptions, command: Command): Promise<void> {
  const { toUser, toAccount, replace, reason, json } = options;
  if ((toUser === undefined) === (toAccount === undefined)) {
    command.error("error: give either --to-user or --to-account");
  }
  await withShop(async ({ ctx }) => {
    const account = await accountOf(ctx, await typedOrPiped(typed));
    const by = byOperator(reason);
    if (toUser !== undefined) {
      const spare = replace ? {} : ({ spare: "user" } as const);
      await moveLink(ctx, {
        accountId: account.id,
        discordUserId: toUser,
        displayName: null,
        ...by,
        ...spare,
      });
      const output = { id: account.id, discord_user: toUser };
      return print(json, output, `${account.username} is now connected to the Discord user ${toUser}.`);
    }
    const other = await accountOf(ctx, await typedOrPiped(toAccount ?? ""));
    const link = await linkOf(ctx, account.id);
    if (!link) throw new Refusal("link_unknown");
    const spare = replace ? {} : ({ spare: "account" } as const);
    const { discordUserId, displayName } = link;
    await moveLink(ctx, { accountId: other.id, discordUserId, displayName, ...by, ...spare });
    const output = { id: other.id, discord_user: discordUserId };
    print(json, output, `The Discord user ${discordUserId} is now connected to ${other.username}.`);
  });
}

function userId(text: string): string {
  const id = plainTyped(text);
  if (discordId.test(id)) return id;
  throw new InvalidArgumentError("It must be a Discord user id, 17 to 20 digits.");
}

async function accountOf(ctx: Ctx, name: string): Promise<Account> {
  const user = plainTyped(name);
  const linked = discordId.test(user) ? await accountOfDiscordUser(ctx, user) : null;
  return linked ?? accountNamed(ctx, name);
}
