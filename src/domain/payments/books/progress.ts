import type { Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { factOf, keepFact } from "@/core/database/key-values";
import { type BuyerList, buyerLists } from "../port/books-gateway";

/** How far Stripe's books were read, in the mode of the key. */
export type BooksProgress = {
  /** All that moved before this was read. */
  readUntil: string | null;
  /** The reading under way: when it began, from when it reads, and where its last page ended. */
  reading: { began: string; since: string; from: string | null } | null;
  /** The key may not read the balance, or payouts. */
  balanceRefused: boolean;
  payoutsRefused: boolean;
  /** Which list is being read for what earlier releases didn't keep; null once all were. */
  filling: { list: BuyerList; from: string | null } | null;
};

const unread: BooksProgress = {
  readUntil: null,
  reading: null,
  balanceRefused: false,
  payoutsRefused: false,
  filling: { list: buyerLists[0], from: null },
};

const factName = ({ livemode }: Ctx) => `stripe_books_${livemode ? "live" : "test"}`;

export async function booksProgress(ctx: Ctx): Promise<BooksProgress> {
  const kept = await factOf(ctx, factName(ctx));
  return kept === null ? unread : (JSON.parse(kept) as BooksProgress);
}

export const keepBooksProgress = (ctx: Ctx, progress: BooksProgress): Write =>
  keepFact(ctx, factName(ctx), JSON.stringify(progress));
