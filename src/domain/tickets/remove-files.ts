import { and, eq, isNotNull } from "drizzle-orm";
import type { Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { type Handlers, noneOf, post, postEach } from "@/core/outbox";
import type { BuildStore } from "../releases/store";
import { ticketFiles } from "../schema/tickets";

/** Work on this topic removes a file's bytes when no ticket holds that file any more. */
const removeTopic = "file.remove";

export const removal = (ctx: Ctx, address: string): Write =>
  post(ctx, { topic: removeTopic, subject: address });

/** The removal of all that a ticket's files hold, for the commit that erases the ticket; before its rows go. */
export const removals = (ctx: Ctx, ticketId: string): Write =>
  postEach(ctx, removeTopic, {
    subject: ticketFiles.address,
    from: ticketFiles,
    where: and(eq(ticketFiles.ticketId, ticketId), isNotNull(ticketFiles.address)),
  });

/** Holds while no removal of these bytes waits or is under way: then they may be written, and stay. */
export const notBeingRemoved = (ctx: Ctx, address: string) => noneOf(ctx, removeTopic, address);

export const fileRemovals = (ctx: Ctx, files: BuildStore): Handlers => ({
  async [removeTopic]({ subject: address }) {
    const holding = await ctx.store.db
      .select({ id: ticketFiles.id })
      .from(ticketFiles)
      .where(eq(ticketFiles.address, address))
      .limit(1);
    if (holding.length === 0) await files.remove(address);
    return [];
  },
});
