import { sql } from "drizzle-orm";
import type { Ctx } from "@/core/database/context";
import { preparedRead } from "@/core/database/prepared-read";
import { isBlockedAmong, keysOfComputer } from "../blocks/find";
import { foundBy, type Found, isComputer, keptBy, type Owner, valuesOf } from "../devices/read";
import { stableVersionsIn, type Version } from "../releases/current";
import { devices } from "../schema/devices";

/** What a validation asks about the computer that it comes from; `found` is null if the account doesn't keep it. */
export type ReadComputer = { blocked: boolean; versions: Version[]; found: Found | null };

/** One query instead of three, since every running application asks once a day at least. */
export async function readComputer(
  ctx: Ctx,
  owner: Owner,
  computer: { hashes: string[] },
): Promise<ReadComputer> {
  const values = { keys: keysOfComputer(computer.hashes), ...valuesOf(ctx, owner, computer) };
  const [read] = await prepared(ctx.store).all(values);
  if (!read) throw new Error("a row without a computer comes in any case");
  const { blocked, versions, device, kept } = read;
  return { blocked, versions, found: device && (await foundBy(ctx, owner, { device, kept })) };
}

const prepared = preparedRead((db) =>
  db
    .select({
      blocked: isBlockedAmong(db, sql.placeholder("keys")),
      versions: stableVersionsIn(db),
      device: devices,
      kept: keptBy(db),
    })
    .from(sql`(SELECT 1)`)
    .leftJoin(
      devices,
      isComputer({ accountId: sql.placeholder("accountId"), hashes: sql.placeholder("hashes") }),
    )
    .limit(1)
    .prepare(),
);
