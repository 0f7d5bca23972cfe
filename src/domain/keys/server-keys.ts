import { asc, eq, gt, or, sql } from "drizzle-orm";
import { type Ctx, newId } from "@/core/database/context";
import { randomToken, tokenHash } from "@/core/secrets/secrets";
import type { Actor, By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, mustHaveChanged } from "@/core/database/commit";
import type { Place } from "@/core/database/pages";
import { Refusal } from "@/core/base/refusal";
import { expectNoCopy } from "@/core/database/restored-copy";
import { serverKeys } from "../schema/server-keys";
import { authorize, expectConfirmed } from "../permissions";

/** Tells a server key from other secrets, for people and for scanners that look for lost ones. */
const serverKeyPrefix = "lk_";
/** The prefix and 32 bytes in base64url. */
const serverKey = /^lk_[\w-]{43}$/;

/** Prepares the query that every look-up begins with. The reader resolves to null for what is no key, or was removed. */
export function serverKeyReader({ store: { db } }: Ctx) {
  const query = db
    .select({ id: serverKeys.id })
    .from(serverKeys)
    .where(eq(serverKeys.keyHash, sql.placeholder("hash")))
    .prepare();
  return async (token: string | null) => {
    if (token === null || !serverKey.test(token)) return null;
    const [found] = await query.all({ hash: tokenHash(token) });
    return found ?? null;
  };
}

/** A server key without the key itself, of which only a hash is stored. */
type ServerKey = { id: string; name: string; createdAt: Date };

/**
 * Makes a key with which another system may look up orders, licences and customers, and nothing else. Shows it here and
 * never again. Refuses with `server_key_exists` if another key has that name.
 */
export async function addServerKey(ctx: Ctx, name: string, by: By): Promise<ServerKey & { key: string }> {
  authorize(by, "server_key.add");
  expectConfirmed(ctx, by, "server_key.add");
  await expectNoCopy(ctx);
  const key = `${serverKeyPrefix}${randomToken()}`;
  const row = { id: newId(), name, createdAt: ctx.now() };
  await commit(ctx.store, [
    ctx.store.db
      .insert(serverKeys)
      .values({ ...row, keyHash: tokenHash(key) })
      .onConflictDoNothing({ target: serverKeys.name }),
    mustHaveChanged("server_key_exists"),
    record(ctx, { ...by, action: "server_key.added", subject: row.id }),
  ]);
  return { ...row, key };
}

/** Every key, the first made first. */
export const allServerKeys = (ctx: Ctx): Promise<ServerKey[]> =>
  ctx.store.db
    .select({ id: serverKeys.id, name: serverKeys.name, createdAt: serverKeys.createdAt })
    .from(serverKeys)
    .orderBy(asc(serverKeys.id));

/** A page of the keys, the first made first. */
export async function serverKeysShown(
  ctx: Ctx,
  { after, most }: { after: Place | null; most: number },
  actor: Actor,
): Promise<ServerKey[]> {
  authorize(actor, "server_key.read");
  return ctx.store.db
    .select({ id: serverKeys.id, name: serverKeys.name, createdAt: serverKeys.createdAt })
    .from(serverKeys)
    .where(gt(serverKeys.id, after?.id ?? ""))
    .orderBy(asc(serverKeys.id))
    .limit(most);
}

/** Ends a key, by its name or id; its next call is refused. Refuses with `server_key_unknown`. */
export async function removeServerKey(ctx: Ctx, named: string, by: By): Promise<ServerKey> {
  authorize(by, "server_key.remove");
  const [key] = await ctx.store.db
    .select({ id: serverKeys.id, name: serverKeys.name, createdAt: serverKeys.createdAt })
    .from(serverKeys)
    .where(or(eq(serverKeys.name, named), eq(serverKeys.id, named)));
  if (!key) throw new Refusal("server_key_unknown");
  expectConfirmed(ctx, by, "server_key.remove");
  await commit(ctx.store, [
    ctx.store.db.delete(serverKeys).where(eq(serverKeys.id, key.id)),
    mustHaveChanged("server_key_unknown"),
    record(ctx, { ...by, action: "server_key.removed", subject: key.id }),
  ]);
  return key;
}
