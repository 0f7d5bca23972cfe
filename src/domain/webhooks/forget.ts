import { and, eq, inArray, isNotNull, lt, ne, notExists, or, sql } from "drizzle-orm";
import { addressKey } from "@/contract/addresses";
import { day } from "@/contract/time";
import { commit, type Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { deleteInPages } from "@/core/delete-in-pages";
import { webhookDeliveries, webhookEndpoints, webhookEvents } from "../schema/webhooks";
import { webhookBodyContext } from "./sealing";

/** How long events and deliveries are kept, for a replay. */
const keptMilliseconds = 30 * day;

/** Deletes what is older, and the endpoints that were removed with all that was sent to them. */
export async function forgetDeliveries(ctx: Ctx): Promise<void> {
  const { db } = ctx.store;
  await emptyBodies(ctx);
  const since = new Date(ctx.now().getTime() - keptMilliseconds);
  const removed = await db.select().from(webhookEndpoints).where(isNotNull(webhookEndpoints.removedAt));
  for (const { id } of removed) {
    await deleteInPages(ctx, webhookDeliveries.id, eq(webhookDeliveries.endpointId, id));
    await db.delete(webhookEndpoints).where(eq(webhookEndpoints.id, id));
  }
  await deleteInPages(
    ctx,
    webhookDeliveries.id,
    and(lt(webhookDeliveries.createdAt, since), ne(webhookDeliveries.state, "waiting")),
  );
  const replayed = db
    .select({ one: sql`1` })
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.eventId, webhookEvents.id));
  await deleteInPages(ctx, webhookEvents.id, and(lt(webhookEvents.at, since), notExists(replayed)));
}

/**
 * Belongs in the commit that erases an account: the email and Discord user in the bodies about it, and its email in any
 * other, no longer leave, and {@link emptyBodies} takes them out.
 */
export const mustEmpty = ({ store: { db } }: Ctx, accountId: string, email: string): Write =>
  db
    .update(webhookEvents)
    .set({ mustEmpty: true })
    .where(or(eq(webhookEvents.accountId, accountId), eq(webhookEvents.emailKey, addressKey(email))));

/** Bodies that are emptied in a commit. */
const pageSize = 100;
/** The condition of a partial index, so it holds no parameters. */
const isDue = sql`must_empty = 1`;

/** Empties the bodies that must be, and deletes what receivers answered to them. */
async function emptyBodies(ctx: Ctx): Promise<void> {
  for (;;) {
    const page = await ctx.store.db.select().from(webhookEvents).where(isDue).limit(pageSize);
    if (page.length === 0) return;
    await commit(ctx.store, [...page.map((event) => emptyBody(ctx, event)), dropAnswers(ctx, page)]);
    await new Promise(setImmediate);
  }
}

type Event = typeof webhookEvents.$inferSelect;

const emptyBody = (ctx: Ctx, event: Event): Write =>
  ctx.store.db
    .update(webhookEvents)
    .set({
      mustEmpty: false,
      accountId: null,
      emailKey: null,
      bodySealed: ctx.secrets.seal(bodyOf(ctx, event), webhookBodyContext(event.id)),
    })
    .where(eq(webhookEvents.id, event.id));

function dropAnswers({ store: { db } }: Ctx, events: Event[]): Write {
  const ids = events.map(({ id }) => id);
  return db
    .update(webhookDeliveries)
    .set({ answerSealed: null })
    .where(inArray(webhookDeliveries.eventId, ids));
}

/** The body as it is sent now. */
export function bodyOf(ctx: Ctx, { id, bodySealed, mustEmpty: isEmptied }: Event): string {
  const body = ctx.secrets.open(bodySealed, webhookBodyContext(id));
  if (!isEmptied) return body;
  const { data, ...rest } = JSON.parse(body) as { data: Record<string, unknown> };
  const left = Object.entries(data).map(([name, value]) => [name, personal.has(name) ? null : value]);
  return JSON.stringify({ ...rest, data: Object.fromEntries(left) });
}

const personal = new Set(["email", "discord"]);
