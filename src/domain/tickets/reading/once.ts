import { eq } from "drizzle-orm";
import { createHash } from "node:crypto";
import type { Ctx } from "@/core/database/context";
import { ticketMessages } from "../../schema/tickets";

/** The id of the message that an account sends under a key of its own, the same however often it is sent. */
export const idempotentId = (accountId: string, key: string): string =>
  createHash("sha256").update(`${accountId}:${key}`).digest("hex").slice(0, 32);

/**
 * Resolves to the ticket with the message, which `write` stores unless it was stored before. A repeat
 * spends no limit and is never refused: the customer's browser repeats what it got no answer to.
 */
export async function writeOnce(ctx: Ctx, messageId: string, write: () => Promise<unknown>): Promise<string> {
  const before = await ticketOf(ctx, messageId);
  if (before) return before;
  try {
    await write();
  } catch (error) {
    // the same message may have been stored meanwhile
    const twin = await ticketOf(ctx, messageId);
    if (twin) return twin;
    throw error;
  }
  return (await ticketOf(ctx, messageId)) ?? "";
}

async function ticketOf(ctx: Ctx, messageId: string): Promise<string | null> {
  const [found] = await ctx.store.db
    .select({ ticketId: ticketMessages.ticketId })
    .from(ticketMessages)
    .where(eq(ticketMessages.id, messageId));
  return found?.ticketId ?? null;
}
