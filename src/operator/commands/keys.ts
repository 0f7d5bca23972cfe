import { Command } from "commander";
import { maxServerKeyNameLength } from "@/contract/vocabulary/bounds";
import { type Ctx, readId } from "@/core/database/context";
import { allServerKeys } from "@/domain/keys/server-keys";
import { serverKeyOperations } from "@/domain/operations/webhooks";
import { print, withJson, withShop } from "../terminal/command-line";
import { addOperation } from "../terminal/operation-command";
import { stamp, table } from "../terminal/table";

/** `shop keys …` */
export function keyCommand(): Command {
  const keys = new Command("keys").description(
    "server keys, with which other systems look up orders, licences and customers",
  );
  addOperation(keys, serverKeyOperations.addServerKey, {
    description: "create a key and print it, once: it can read every order and email, so keep it secret",
    examples: ['keys add "the forum" --reason "shows who has a licence"'],
    fields: { name: `what the key is for, up to ${maxServerKeyNameLength} characters` },
    output: ({ result: { id, name, key } }) => ({
      data: { id, name, key },
      sentence: `The key of ${name}, which is not shown again:\n${key}`,
    }),
  });
  withJson(keys.command("list"), "keys list")
    .description("every key's name, without the key")
    .action(({ json }: { json?: boolean }) => withShop(({ ctx }) => list(ctx, json)));
  addOperation(keys, serverKeyOperations.removeServerKey, {
    description: "revoke a key right away",
    examples: ['keys remove "the forum" --reason "moved to another host"'],
    subject: { about: "its name or id in the list", read: (typed) => readId(typed) ?? typed.trim() },
    output: ({ subject: name }) => ({ data: { name }, sentence: "The key no longer works." }),
  });
  return keys;
}

async function list(ctx: Ctx, json: boolean | undefined): Promise<void> {
  const all = await allServerKeys(ctx);
  const rows = all.map(({ id, name, createdAt }) => [name, stamp(createdAt), id]);
  print(json, all, rows.length > 0 ? table(["name", "since", "id"], rows) : "There are no keys.");
}
