import { exists, type Placeholder, type SQL, sql } from "drizzle-orm";
import { addressKey } from "@/contract/vocabulary/addresses";
import type { BlockKind } from "@/contract/vocabulary/kinds";
import { mustNotExist, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import type { Store } from "@/core/database/database";
import { prefixesOf } from "@/core/limits/networks";
import { preparedRead } from "@/core/database/prepared";
import { blocks } from "../schema/blocks";
import { type Computer, hashesOf } from "./hashes";

/** What identifies a request or a customer. A network is looked up by a request's address. */
type BlockQuery = { [K in BlockKind]?: string | null };

/** The kind of block that applies, or null. One query looks everything up. */
export async function findBlock(ctx: Ctx, asking: BlockQuery): Promise<BlockKind | null> {
  const [found] = await anyOf(ctx.store).all({ keys: allKeys(ctx, asking) });
  return found?.kind ?? null;
}

/** Whether a computer is blocked, also one of which only the hash is known. */
export async function isBlocked(ctx: Ctx, computer: Computer): Promise<boolean> {
  return (await anyOf(ctx.store).all({ keys: keysOfComputer(hashesOf(ctx, computer)) })).length > 0;
}

/** The same as a column of a larger query; `keys` are {@link keysOfComputer}. */
export const isBlockedAmong = (db: Store["db"], keys: Placeholder): SQL<boolean> =>
  exists(matchingBlocks(db, keys)).mapWith(Boolean);

export const keysOfComputer = (hashes: string[]): string =>
  JSON.stringify(hashes.map((hash) => storedKey("device", hash)));

/** The same query for a batch. */
export const findBlocks = (ctx: Ctx, asking: BlockQuery) =>
  matchingBlocks(ctx.store.db, allKeys(ctx, asking));

/** Refuses the commit with `blocked` if the value is blocked. */
export const mustBeUnblocked = (ctx: Ctx, kind: BlockKind, value: string): Write =>
  mustNotExist(findBlocks(ctx, { [kind]: value }), "blocked", { blocked: kind });

const anyOf = preparedRead((db) => matchingBlocks(db, sql.placeholder("keys")).prepare());

const matchingBlocks = (db: Store["db"], keys: string | Placeholder) =>
  db
    .select({ kind: blocks.kind })
    .from(blocks)
    .where(sql`${blocks.key} IN (SELECT value FROM json_each(${keys}))`)
    .limit(1);

const allKeys = (ctx: Ctx, asking: BlockQuery): string =>
  JSON.stringify(
    Object.entries(asking).flatMap(([kind, value]) => (value ? keysOf(ctx, kind as BlockKind, value) : [])),
  );

/** Every key under which a block of the value may be stored. */
function keysOf(ctx: Ctx, kind: BlockKind, value: string): string[] {
  const stored = (one: string) => storedKey(kind, one);
  if (kind === "network") return prefixesOf(value).map(stored);
  // a hash under a secret that has since been replaced counts too, as it does for devices
  if (kind === "device") return hashesOf(ctx, { hwid: value }).map(stored);
  return [stored(value)];
}

export const storedKey = (kind: BlockKind, value: string) =>
  `${kind}:${kind === "email" ? addressKey(value) : value}`;
