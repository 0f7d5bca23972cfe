import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { and, gt, inArray } from "drizzle-orm";
import { Command } from "commander";
import { type Config, ConfigError } from "@/core/settings/config";
import type { Ctx } from "@/core/database/context";
import { connectTo, movedFact, openStore } from "@/core/database/database";
import { fileOf } from "@/core/settings/storage-location";
import { factOf } from "@/core/database/key-values";
import { moveDatabase } from "@/core/database/move-database";
import { leases } from "@/core/database/schema";
import { movedTo, noteMoved } from "@/domain/backups/moved";
import { byOperator, print, withReason, withShop } from "../terminal/command-line";
import { progressBar } from "../terminal/progress";
import { counted } from "../terminal/table";

/** `shop move` */
export const moveVerb = (): Command =>
  withReason(new Command("move"), 'move --to http://10.0.0.5:8080 --reason "two machines from now on"')
    .requiredOption("--to <database>", "an empty database: http(s):// or libsql:// of a server, or a file")
    .description("move the whole shop to another database, while it is stopped; safe to repeat")
    .action(move);

type MoveOptions = { to: string; reason: string; json?: boolean };

async function move({ to: typed, reason, json }: MoveOptions): Promise<void> {
  await withShop(
    async ({ ctx, config }) => {
      const target = databaseNamed(typed, config);
      const { place } = target;
      const before = await movedTo(ctx);
      if (before && before.to !== place) {
        throw new ConfigError(
          `The shop was moved to ${before.to} before: run shop take-over to continue here.`,
        );
      }
      await expectQuiet(ctx);
      const rows = await fillDatabase(ctx, target, {
        json,
        async settle() {
          if (!before) await noteMoved(ctx, place, byOperator(reason));
          await expectQuiet(ctx);
        },
      });
      const next = `Set DATABASE_URL=${place} and start the shop. No shop starts on the old database anymore. Delete it when you no longer need it.`;
      print(json, { rows, to: place }, `${counted(rows, "row")} copied to ${place} and compared.\n${next}`);
    },
    { alone: true, evenMoved: true },
  );
}

export type Target = Config["database"] & {
  /** Its name in sentences. */
  place: string;
};

/** The database that the operator typed. Sends one server's token to no other. Throws {@link ConfigError}. */
function databaseNamed(typed: string, { database }: Config): Target {
  const isUrl = /^(file|libsql|https?|wss?):/.test(typed);
  if (isUrl && !URL.canParse(typed)) {
    throw new ConfigError(`${typed} must be a file, or the address of a libSQL server.`);
  }
  const url = isUrl ? typed : pathToFileURL(resolve(typed)).href;
  return moveTarget({ url, authToken: fileOf(database.url) ? database.authToken : undefined });
}

export function moveTarget(database: Config["database"]): Target {
  // a token may be in the rest of the address
  const { protocol, host, pathname } = new URL(database.url);
  return { ...database, place: `${protocol}//${host}${pathname}`.replace(/\/$/, "") };
}

type FillOptions = {
  json: boolean | undefined;
  /** See `moveDatabase`. */
  settle: () => Promise<void>;
};

/** Copies this whole shop into an empty database; resolves to the number of rows. Throws {@link ConfigError}. */
export async function fillDatabase(ctx: Ctx, target: Target, { json, settle }: FillOptions): Promise<number> {
  const { place } = target;
  const bar = progressBar("Copying, then comparing", json);
  const shop = (await factOf(ctx, "secret_key")) ?? "";
  const last = [{ sql: "DELETE FROM installation WHERE name = ?", args: [movedFact] }];
  const to = await connectTo(target);
  try {
    const from = ctx.store.client;
    const rows = await moveDatabase({ from, to, place, shop, settle, last, progress: bar.at });
    // like every shop's file: complete, and marked as made
    if (fileOf(target.url)) (await openStore(target, { sole: true })).close();
    return rows;
  } finally {
    bar.end();
    to.close();
  }
}

/** How long a killed process keeps its leases, and a little more. */
const leftMilliseconds = 15_000;

/** Refuses while a shop runs on a database server; on a file, this command has the lock. */
export async function expectQuiet({ store }: Ctx): Promise<void> {
  const deadline = Date.now() + (store.remote ? leftMilliseconds : 0);
  const held = () =>
    store.db
      .select({ name: leases.name })
      .from(leases)
      .where(and(inArray(leases.name, ["scheduler", "discord-bot"]), gt(leases.until, new Date())));
  while (store.remote && (await held()).length > 0) {
    if (Date.now() > deadline) throw new ConfigError("A shop is running on the database: stop it first.");
    await Bun.sleep(500);
  }
}
