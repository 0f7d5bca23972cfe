import { second } from "@/contract/vocabulary/time";
import type { Ctx } from "@/core/database/context";
import { othersTurn } from "@/core/base/others-turn";
import type { announcements } from "../schema/announcements";
import { nextPage } from "./recipients";

type Audience = Pick<typeof announcements.$inferSelect, "licensedOnly" | "offer">;

/** `more`: there are more than `customers`, because counting took too long. */
export type Counted = { customers: number; recipients: number; more: boolean };

/** How long a person waits for it at most. */
const patience = 2 * second;

/**
 * How many customers an announcement would look at, and how many of them it is for: a page at a time, so that requests
 * run in between.
 */
export async function countCustomers(ctx: Ctx, audience: Audience, within = patience): Promise<Counted> {
  const begun = performance.now();
  const total: Counted = { customers: 0, recipients: 0, more: false };
  for (let reached: string | null = ""; reached !== null;) {
    const page = await nextPage(ctx, { ...audience, reached, createdAt: ctx.now() });
    total.customers += page.looked;
    total.recipients += page.recipients.length;
    reached = page.next;
    if (reached !== null && performance.now() - begun > within) return { ...total, more: true };
    await othersTurn();
  }
  return total;
}
