import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { type AuditAction, auditEvents } from "@/contract/wire/audit-events";
import { type DeskFilters, rangeOf, subjectIn } from "@/contract/wire/desk/lists";
import type { AuditRow } from "@/contract/wire/desk/rows";
import type { Actor } from "@/core/base/actor";
import { type Entry, knownActions } from "@/core/database/audit";
import type { Ctx } from "@/core/database/context";
import { pageRows } from "@/core/database/pages";
import { auditLog, isOfShop, isStaffAction } from "@/core/database/schema";
import { authorize } from "../permissions";
import { actorOf } from "./actors";
import { detailNames, entryNames, type EntryNames, kindOf } from "./audit-names";
import { everyCombination, inOrderOfIds, newestPlaces, type RowFilter, withinRange } from "./newest";
import { customerOf } from "./payments";

type Filters = DeskFilters<"audit">;

export const auditList = { at: auditLog.at, id: auditLog.id };

/** The log's entries that meet a filter. */
export function entriesWith(_: Ctx, filters: Filters): RowFilter {
  const range = [withinRange(auditLog.at, rangeOf(filters))];
  return { conditions: everyCombination(whatOf(filters), range) };
}

/** As conditions, each of which an index answers in the order of the list. */
function whatOf({ actor, action, subject }: Filters): (SQL | undefined)[] {
  const named = subject ? subjectIn(subject) : null;
  if (named) {
    const actions = actionsOn(named.kind).filter((one) => !action || one === action);
    const by = actor ? sql`+${auditLog.actor} = ${actor}` : undefined;
    return about(named.id, actions).map((one) => and(one, by));
  }
  return everyCombination(
    [action ? eq(auditLog.action, action) : undefined],
    actor ? byActor(actor) : [undefined],
  );
}

/** As conditions: entries about a subject, by action, as the index has them. */
const about = (subject: string, some: AuditAction[]): (SQL | undefined)[] =>
  some.map((action) => and(eq(auditLog.subject, subject), eq(auditLog.action, action)));

/** The actions with subjects of this kind. */
const actionsOn = (kind: string): AuditAction[] =>
  actions.filter((action) => auditEvents[action].subject === kind);

const actions = Object.keys(auditEvents) as AuditAction[];

/** As conditions: the shop acts everywhere in the log, an account in its own history, all others by hand. */
function byActor(actor: string): (SQL | undefined)[] {
  if (actor === "shop") return [isOfShop];
  const own = and(eq(auditLog.accountId, actor), sql`+${auditLog.actor} = ${actor}`);
  return [own, and(isStaffAction, eq(auditLog.actor, actor))];
}

/** The names of all actions in the log, for the filter. */
export async function actionsForDesk(ctx: Ctx, actor: Actor): Promise<AuditAction[]> {
  authorize(actor, "desk.read");
  const logged = new Set(await knownActions(ctx));
  return actions.filter((action) => logged.has(action)).toSorted();
}

/** The newest entries of an account's history. */
export const timelineOfAccount = (ctx: Ctx, accountId: string): Promise<AuditRow[]> =>
  timeline(ctx, [eq(auditLog.accountId, accountId)]);

/** The newest entries about any of a few things. */
export const timelineOf = (ctx: Ctx, subjects: { kind: string; id: string }[]): Promise<AuditRow[]> =>
  timeline(
    ctx,
    subjects.flatMap(({ kind, id }) => about(id, actionsOn(kind))),
  );

async function timeline(ctx: Ctx, conditions: (SQL | undefined)[]): Promise<AuditRow[]> {
  const places = await newestPlaces(ctx, auditList, conditions, { after: null, most: pageRows });
  return auditRows(
    ctx,
    places.map((place) => place.id),
  );
}

/** Entries of the log as the desk shows them, in the order of their ids. */
export async function auditRows(ctx: Ctx, ids: string[]): Promise<AuditRow[]> {
  if (ids.length === 0) return [];
  const entries = await ctx.store.db.select().from(auditLog).where(inArray(auditLog.id, ids));
  const names = await entryNames(ctx, entries);
  return inOrderOfIds(ids, entries).map((entry) => auditRow(entry, names));
}

const auditRow = (entry: Entry, names: EntryNames): AuditRow => ({
  id: entry.id,
  at: entry.at.toISOString(),
  actor: actorOf(entry, names.actors),
  action: entry.action,
  subject: { kind: kindOf(entry), id: entry.subject, name: names.subjects.get(entry.subject) || null },
  customer: customerOf({
    accountId: entry.accountId,
    username: names.actors.get(entry.accountId ?? "") ?? null,
  }),
  currency: names.currencies.get(entry.subject) ?? null,
  reason: entry.reason,
  details: entry.detail,
  names: detailNames(entry, names),
});
