import { Argument, Command } from "commander";
import { type BlockKind, blockKinds } from "@/contract/vocabulary/kinds";
import { type Ctx, typedId } from "@/core/database/context";
import { addBlock, allBlocks } from "@/domain/blocks/staff-actions";
import { mistyped, parseBlock } from "@/domain/blocks/typed";
import { blockComputerOf } from "@/domain/customers/block-computer";
import { accountNamed } from "@/domain/customers/find";
import { blockOperations } from "@/domain/operations/settings";
import { withShop, byOperator, print, withJson, withReason } from "../terminal/command-line";
import { addOperation } from "../terminal/operation-command";
import { stamp, table } from "../terminal/table";
import { typedOrPiped } from "../terminal/arguments";

type AddOptions = { ofAccount?: boolean; device?: string; reason: string; json?: boolean };

/** `shop blocks …` */
export function blockCommand(): Command {
  const noun = new Command("blocks").description(
    "devices, emails, networks and Discord users that are shut out",
  );
  withReason(
    noun.command("add"),
    'blocks add email mallory@example.com --reason "three chargebacks"',
    'blocks add device mallory --of-account --reason "shares the account"',
    'blocks add network 2001:db8:7::/48 --reason "guesses passwords"',
  )
    .addArgument(new Argument("<kind>", "what to block").choices([...blockKinds]))
    .argument(
      "<value>",
      "a hardware ID, an email, an address or network (192.0.2.0/24), or a Discord user's id; - reads it from standard input",
    )
    .option("--of-account", "the value is an account: block the computer that it is bound to")
    .option("--device <id>", "with --of-account: which of several computers, by its id", typedId)
    .description(
      "a blocked device can't run the application, an email can't register or buy, a network can't register, sign in or buy, a Discord user can't be connected",
    )
    .action(add);
  withJson(noun.command("list"), "blocks list")
    .description("everything that is blocked, and why")
    .action(({ json }: { json?: boolean }) => withShop(({ ctx }) => list(ctx, json)));
  addOperation(noun, blockOperations.removeBlock, {
    description: "lift a block, by its id in the list",
    examples: ['blocks remove 0197f3a0-0000-7000-8000-000000000000 --reason "sold to someone else"'],
    output: () => "The block is lifted.",
  });
  return noun;
}

async function add(kind: BlockKind, typed: string, options: AddOptions, command: Command): Promise<void> {
  const { ofAccount, device, reason, json } = options;
  if (ofAccount && kind !== "device") command.error("error: --of-account goes with device");
  if (device !== undefined && !ofAccount) command.error("error: --device goes with --of-account");
  const value = await typedOrPiped(typed);
  await withShop(async ({ ctx }) => {
    const by = byOperator(reason);
    const { id, label } = ofAccount
      ? await blockComputerOf(ctx, await accountNamed(ctx, value), by, device)
      : await addBlock(ctx, parseBlock(ctx, kind, value) ?? command.error(`error: ${mistyped[kind]}`), by);
    print(json, { id, kind, label }, `Blocked from now on: ${label} (${id}).`);
  });
}

async function list(ctx: Ctx, json: boolean | undefined): Promise<void> {
  const all = await allBlocks(ctx);
  const output = all.map(({ id, kind, label, reason, createdAt }) => ({
    id,
    kind,
    label,
    reason,
    createdAt,
  }));
  const rows = output.map(({ id, kind, label, reason, createdAt }) => [
    id,
    kind,
    label,
    stamp(createdAt),
    reason,
  ]);
  print(
    json,
    output,
    rows.length > 0 ? table(["id", "kind", "what", "since", "why"], rows) : "Nothing is blocked.",
  );
}
