import { and, asc, eq, gt, notExists, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { addressKey, unusualKey } from "@/contract/addresses";
import { commit, type Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { isUnusual } from "@/core/schema";
import { accounts } from "../schema/accounts";
import { blocks } from "../schema/blocks";
import { lacksKey, payments } from "../schema/payments";
import { storedKey } from "../blocks/find";

/** Rows per commit; requests wait while it is written. */
const pageSize = 200;

/**
 * Gives earlier rows the comparison key that SQL could not compute in a migration, before the shop answers. Reads only
 * unusual addresses, by indexes of their own. An account whose key another account holds stays as it is: its owner
 * signs in with their own spelling, and `doctor` names it.
 */
export async function keyAddresses(ctx: Ctx): Promise<void> {
  await inPages((after) => keyAccounts(ctx, after));
  await inPages((after) => keyBlocks(ctx, after));
  await inPages(() => keyBuyers(ctx));
  await inPages(() => keyReceivers(ctx));
}

/** The accounts whose key another account holds, with that account's name. */
export async function collidingAccounts(ctx: Ctx): Promise<{ username: string; other: string }[]> {
  const found: { username: string; other: string }[] = [];
  await inPages(async (after) => {
    const page = await unusualAccounts(ctx, after);
    for (const { username, email, emailKey } of page) {
      const key = addressKey(email);
      if (key === emailKey) continue;
      const [other] = await ctx.store.db
        .select({ username: accounts.username })
        .from(accounts)
        .where(eq(accounts.emailKey, key));
      if (other) found.push({ username, other: other.username });
    }
    return page;
  });
  return found;
}

type Row = { id: string };

async function inPages(page: (after: string) => Promise<Row[]>): Promise<void> {
  for (let after: string | undefined = ""; after !== undefined;) {
    const rows: Row[] = await page(after);
    after = rows.length < pageSize ? undefined : rows.at(-1)?.id;
  }
}

async function keyAccounts(ctx: Ctx, after: string): Promise<Row[]> {
  const { db } = ctx.store;
  const others = alias(accounts, "others");
  const page = await unusualAccounts(ctx, after);
  await commit(
    ctx.store,
    page.flatMap(({ id, email, emailKey: was }): Write[] => {
      const emailKey = addressKey(email);
      if (emailKey === was) return [];
      const held = db.select().from(others).where(eq(others.emailKey, emailKey));
      const asRead = and(eq(accounts.id, id), eq(accounts.email, email));
      return [
        db
          .update(accounts)
          .set({ emailKey })
          .where(and(asRead, notExists(held))),
      ];
    }),
  );
  return page;
}

const unusualAccounts = ({ store: { db } }: Ctx, after: string) =>
  db
    .select()
    .from(accounts)
    .where(and(gt(accounts.id, after), isUnusual(accounts.email)))
    .orderBy(asc(accounts.id))
    .limit(pageSize);

/** A block's label is the address as staff typed it. A second block of the same address stays as it is. */
async function keyBlocks(ctx: Ctx, after: string): Promise<Row[]> {
  const { db } = ctx.store;
  const page = await db
    .select()
    .from(blocks)
    .where(and(gt(blocks.id, after), isUnusual(blocks.key)))
    .orderBy(asc(blocks.id))
    .limit(pageSize);
  const wrong = page.filter(({ kind, key, label }) => kind === "email" && key !== storedKey(kind, label));
  await commit(
    ctx.store,
    wrong.map(({ id, kind, label }) => {
      const key = storedKey(kind, label);
      const others = alias(blocks, "others");
      const held = db.select().from(others).where(eq(others.key, key));
      return db
        .update(blocks)
        .set({ key })
        .where(and(eq(blocks.id, id), notExists(held)));
    }),
  );
  return page;
}

async function keyBuyers(ctx: Ctx): Promise<Row[]> {
  const { id, email, unusualEmailKey } = payments;
  const page = await withoutKey(ctx, email, unusualEmailKey);
  await commit(
    ctx.store,
    page.map((row) =>
      ctx.store.db
        .update(payments)
        .set({ unusualEmailKey: unusualKey(row.address) })
        .where(and(eq(id, row.id), eq(email, row.address ?? ""))),
    ),
  );
  return page;
}

async function keyReceivers(ctx: Ctx): Promise<Row[]> {
  const { id, giftEmail, unusualGiftKey } = payments;
  const page = await withoutKey(ctx, giftEmail, unusualGiftKey);
  await commit(
    ctx.store,
    page.map((row) =>
      ctx.store.db
        .update(payments)
        .set({ unusualGiftKey: unusualKey(row.address) })
        .where(and(eq(id, row.id), eq(giftEmail, row.address ?? ""))),
    ),
  );
  return page;
}

/** Each written page leaves the index, so the next begins at the front. */
const withoutKey = (
  { store: { db } }: Ctx,
  address: typeof payments.email | typeof payments.giftEmail,
  key: typeof payments.unusualEmailKey | typeof payments.unusualGiftKey,
) =>
  db
    .select({ id: payments.id, address: sql<string | null>`${address}` })
    .from(payments)
    .where(lacksKey(key, address))
    .limit(pageSize);
