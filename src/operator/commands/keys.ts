import { Command, InvalidArgumentError } from "commander";
import { oneLine } from "@/contract/vocabulary/plain-words";
import { type Ctx, readId } from "@/core/database/context";
import { addServerKey, allServerKeys, removeServerKey } from "@/domain/keys/staff-actions";
import { byOperator, example, print, withJson, withReason, withShop } from "../terminal/command-line";
import { stamp, table } from "../terminal/table";

type Options = { reason: string; json?: boolean };

/** `shop keys …` */
export function keyCommand(): Command {
  const keys = new Command("keys").description(
    "server keys, with which other systems look up orders, licences and customers",
  );
  withReason(keys.command("add"))
    .argument("<name>", "what the key is for, up to 64 characters", nameOf)
    .description("make a key and print it, once: it can read every order and email, so keep it secret")
    .addHelpText("after", example('keys add "the forum" --reason "shows who has a licence"'))
    .action((name: string, { reason, json }: Options) =>
      withShop(async ({ ctx }) => {
        const made = await addServerKey(ctx, name, byOperator(reason));
        const words = `The key of ${made.name}, which is not shown again:\n${made.key}`;
        print(json, { id: made.id, name: made.name, key: made.key }, words);
      }),
    );
  withJson(keys.command("list"))
    .description("every key's name, without the key")
    .addHelpText("after", example("keys list"))
    .action(({ json }: { json?: boolean }) => withShop(({ ctx }) => list(ctx, json)));
  withReason(keys.command("remove"))
    .argument("<name>", "its name or id in the list", (typed) => readId(typed) ?? typed.trim())
    .description("end a key at once")
    .addHelpText("after", example('keys remove "the forum" --reason "moved to another host"'))
    .action((name: string, { reason, json }: Options) =>
      withShop(async ({ ctx }) => {
        await removeServerKey(ctx, name, byOperator(reason));
        print(json, { name }, "The key no longer works.");
      }),
    );
  return keys;
}

function nameOf(typed: string): string {
  const name = oneLine(typed);
  if (name.length === 0 || name.length > 64) throw new InvalidArgumentError("A name has 1 to 64 characters.");
  return name;
}

async function list(ctx: Ctx, json: boolean | undefined): Promise<void> {
  const all = await allServerKeys(ctx);
  const rows = all.map(({ id, name, createdAt }) => [name, stamp(createdAt), id]);
  print(json, all, rows.length > 0 ? table(["name", "since", "id"], rows) : "There are no keys.");
}
