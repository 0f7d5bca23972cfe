import { eq, sql } from "drizzle-orm";
import type { Ctx } from "@/core/database/context";
import { tokenHash } from "@/core/secrets/secrets";
import { serverKeys } from "../schema/server-keys";

/** Tells a server key from other secrets, for people and for scanners that look for lost ones. */
export const serverKeyPrefix = "lk_";
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
