import { and, asc, eq, gt, gte, inArray, isNotNull, lt, ne, notExists, or, type SQL, sql } from "drizzle-orm";
import { day } from "@/contract/vocabulary/time";
import { commit, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { deleteInPages } from "@/core/database/delete-in-pages";
import { yieldToEventLoop } from "@/core/base/yield";
import type { Account } from "../accounts/sessions/account";
import { webhookDeliveries, webhookEndpoints, webhookEvents } from "../schema/webhooks";
import { webhookBodyContext } from "./sealing";

/** How long events and deliveries stay available for a replay. */
const keptMilliseconds = 30 * day;

/** Deletes older events and deliveries, and removed endpoints with all their deliveries. */
export async function forgetDeliveries(ctx: Ctx): Promise<void> {
  const { db } = ctx.store;
  await emptyBodies(ctx, isDue);
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
  await forgetEvents(ctx, since);
}

/** A replayed event stays as long as its deliveries. Checks each event once, however many stay. */
async function forgetEvents({ store }: Ctx, since: Date): Promise<void> {
  const { db } = store;
  const { at, id } = webhookEvents;
  const replayed = db
    .select({ one: sql`1` })
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.eventId, id));
  let after = { at: new Date(0), rowid: 0 };
  for (let more = true; more;) {
    const page = await db
      .select({ id, at, rowid })
      .from(webhookEvents)
      .where(and(gte(at, after.at), lt(at, since), or(gt(at, after.at), gt(rowid, after.rowid))))
      .orderBy(asc(at), asc(rowid))
      .limit(pageSize);
    const ids = page.map((event) => event.id);
    if (ids.length > 0)
      await commit(store, [db.delete(webhookEvents).where(and(inArray(id, ids), notExists(replayed)))]);
    after = page.at(-1) ?? after;
    more = page.length === pageSize;
    await yieldToEventLoop();
  }
}

const rowid = sql<number>`${webhookEvents}.rowid`;

/**
 * Belongs in the commit that erases an account: the email and Discord user in the bodies about it, and its email in any
 * other, no longer leave, and {@link forgetDeliveries} takes them out. There may be thousands:
 * {@link eraseBodiesInPages} first.
 */
export const eraseBodiesWrite = ({ store: { db } }: Ctx, account: ErasedAccount): Write =>
  db.update(webhookEvents).set({ mustEmpty: true }).where(isAbout(account));

/** Takes the email and Discord user of an account that is about to be erased out of its webhooks. */
export const eraseBodiesInPages = (ctx: Ctx, account: ErasedAccount): Promise<void> =>
  emptyBodies(ctx, isAbout(account));

type ErasedAccount = Pick<Account, "id" | "emailKey" | "emailConfirmedAt">;

/** Those about the account, and those with the address that it has confirmed. */
const isAbout = ({ id, emailKey, emailConfirmedAt }: ErasedAccount): SQL | undefined =>
  or(
    eq(webhookEvents.accountId, id),
    emailKey === null || emailConfirmedAt === null ? undefined : eq(webhookEvents.emailKey, emailKey),
  );

/** Events of a commit; each may have been sent to fifty endpoints. */
const pageSize = 20;
/** The condition of a partial index, so it holds no parameters. */
const isDue = sql`must_empty = 1`;

/** Empties these bodies, and deletes what receivers answered to them. */
async function emptyBodies(ctx: Ctx, which: SQL | undefined): Promise<void> {
  for (;;) {
    const page = await ctx.store.db.select().from(webhookEvents).where(which).limit(pageSize);
    if (page.length === 0) return;
    await commit(ctx.store, [...page.map((event) => emptyBody(ctx, event)), dropAnswers(ctx, page)]);
    await yieldToEventLoop();
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
      bodySealed: ctx.secrets.seal(bodyOf(ctx, { ...event, mustEmpty: true }), webhookBodyContext(event.id)),
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
  const left = Object.entries(data).map(([name, value]) => [name, name in personal ? personal[name] : value]);
  return JSON.stringify({ ...rest, data: Object.fromEntries(left) });
}

/** The fields of a body that identify somebody, and their values once that person is erased. */
const personal: Record<string, null | false> = { email: null, email_confirmed: false, discord: null };
