import { asc, eq, gt } from "drizzle-orm";
import type { Actor, By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, isDuplicate, mustHaveChanged, mustNotExist, type Write } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { authorize } from "../../permissions";
import { savedReplies } from "../../schema/tickets";

export type Reply = Pick<typeof savedReplies.$inferSelect, "id" | "name" | "text">;

/** More than anybody looks through. */
const mostReplies = 200;

/** The texts that staff answer with often, by name. */
export async function repliesForStaff(ctx: Ctx, actor: Actor): Promise<Reply[]> {
  authorize(actor, "reply.read");
  const { id, name, text } = savedReplies;
  return ctx.store.db
    .select({ id, name, text })
    .from(savedReplies)
    .where(gt(name, ""))
    .orderBy(asc(name))
    .limit(mostReplies);
}

type Texts = Pick<Reply, "name" | "text">;

/** Refuses with `reply_exists` where another has the name, and with `reply_limit` where there are as many as may be. */
export async function addReply(ctx: Ctx, { name, text }: Texts, by: By): Promise<Reply> {
  authorize(by, "reply.change");
  const reply = { id: newId(), name, text };
  const { db } = ctx.store;
  const full = db
    .select({ id: savedReplies.id })
    .from(savedReplies)
    .where(gt(savedReplies.name, ""))
    .limit(1)
    .offset(mostReplies - 1);
  await commitUniqueName(ctx, [
    mustNotExist(full, "reply_limit", {}),
    db.insert(savedReplies).values(reply),
    record(ctx, { ...by, action: "reply.added", subject: reply.id }),
  ]);
  return reply;
}

/** Refuses with `reply_unknown` and `reply_exists`. */
export async function changeReply(ctx: Ctx, { id, name, text }: Reply, by: By): Promise<Reply> {
  authorize(by, "reply.change");
  await commitUniqueName(ctx, [
    ctx.store.db.update(savedReplies).set({ name, text }).where(eq(savedReplies.id, id)),
    mustHaveChanged("reply_unknown"),
    record(ctx, { ...by, action: "reply.changed", subject: id }),
  ]);
  return { id, name, text };
}

/** Refuses with `reply_unknown`. */
export async function removeReply(ctx: Ctx, id: string, by: By): Promise<void> {
  authorize(by, "reply.change");
  await commit(ctx.store, [
    ctx.store.db.delete(savedReplies).where(eq(savedReplies.id, id)),
    mustHaveChanged("reply_unknown"),
    record(ctx, { ...by, action: "reply.removed", subject: id }),
  ]);
}

async function commitUniqueName(ctx: Ctx, writes: Write[]): Promise<void> {
  try {
    await commit(ctx.store, writes);
  } catch (error) {
    throw isDuplicate(error, "saved_replies.name") ? new Refusal("reply_exists", { field: "name" }) : error;
  }
}
