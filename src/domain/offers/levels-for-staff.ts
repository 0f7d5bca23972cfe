import { and, eq, inArray, sql } from "drizzle-orm";
import { maxHolders } from "@/contract/vocabulary/bounds";
import type { LevelEffect } from "@/contract/wire/desk/levels";
import type { Actor } from "@/core/base/actor";
import { Refusal } from "@/core/base/refusal";
import { yieldToEventLoop } from "@/core/base/yield";
import type { Ctx } from "@/core/database/context";
import { containedIn } from "../levels/ladder";
import { ladderOf } from "../levels/list";
import { authorize } from "../permissions";
import type { LevelRow } from "../schema/levels";
import { licences } from "../schema/licences";
import { offers } from "../schema/offers";
import { onSale } from "./list";

/** Whom a level concerns; of licences and accounts, counting stops at {@link maxHolders}. */
export type Held = Omit<LevelEffect, "role">;

export type LevelShown = Omit<LevelRow, "version"> & Held & { contains: string[] };

/** Every level, retired ones too, the lowest first. */
export async function levelsShown(ctx: Ctx, actor: Actor): Promise<LevelShown[]> {
  authorize(actor, "level.read");
  const all = await ladderOf(ctx);
  const shown: LevelShown[] = [];
  for (const level of all) {
    await yieldToEventLoop();
    shown.push({ ...level, ...(await holdersOf(ctx, level.id)), contains: containedIn(all, level.id) });
  }
  return shown;
}

/** A level as it is now. Refuses with `level_unknown`. */
export async function levelShown(ctx: Ctx, id: string, actor: Actor): Promise<LevelShown> {
  const found = (await levelsShown(ctx, actor)).find((level) => level.id === id);
  if (!found) throw new Refusal("level_unknown", { subject: true });
  return found;
}

export async function holdersOf(ctx: Ctx, level: string): Promise<Held> {
  const { db } = ctx.store;
  const active = ["active", `active ${ctx.livemode ? "live" : "test"}`];
  const some = db
    .select({ accountId: licences.accountId })
    .from(licences)
    .where(and(eq(licences.level, level), inArray(licences.listedStatus, active)))
    .limit(maxHolders)
    .as("some");
  const [[held], selling] = await Promise.all([
    db
      .select({ licences: sql<number>`count(*)`, accounts: sql<number>`count(DISTINCT ${some.accountId})` })
      .from(some),
    db.$count(offers, and(eq(offers.level, level), onSale(ctx))),
  ]);
  return { licences: held?.licences ?? 0, accounts: held?.accounts ?? 0, offers: selling };
}
