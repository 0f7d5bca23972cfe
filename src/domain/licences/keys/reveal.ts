import { eq } from "drizzle-orm";
import type { By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { authorize, expectConfirmed } from "../../permissions";
import { type Licence, licences } from "../../schema/licences";
import { keyOf } from "./issue";

/** A licence's whole key for staff; the log says who saw it, before they do. */
export async function revealKey(ctx: Ctx, licence: Licence, by: By): Promise<string> {
  authorize(by, "licence.reveal_key");
  expectConfirmed(ctx, by, "licence.reveal_key");
  const { id, accountId } = licence;
  await commit(ctx.store, [record(ctx, { ...by, action: "licence.key_revealed", subject: id, accountId })]);
  // the key may have been replaced meanwhile
  const [now] = await ctx.store.db.select().from(licences).where(eq(licences.id, id));
  return keyOf(ctx, now ?? licence);
}
