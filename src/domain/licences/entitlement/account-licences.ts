import { and, eq, sql } from "drizzle-orm";
import { hour } from "@/contract/vocabulary/time";
import { theShop } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { mustHaveChanged, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { yieldToEventLoop } from "@/core/base/yield";
import { accounts } from "../../schema/accounts";
import { licenceExtensions, licences } from "../../schema/licences";
import { endsOf, type Extension, type HeldLicence } from "./time";

/** A redeemed licence with the payment that sold it, its stored end, its level and its number of computers. */
export type AccountLicence = HeldLicence & {
  paymentId: string | null;
  level: string;
  expiresAt: Date | null;
  devices: number;
};

/** An account's redeemed licences, and the version of their ends when they were read. */
export type AccountLicences = {
  accountId: string;
  version: number;
  endsRule: number;
  licences: AccountLicence[];
};

/** The rule that this shop computes ends by, as stored in `accounts.endsRule`. */
export const endsRule = ({ livemode }: Pick<Ctx, "livemode">) => (livemode ? 2 : 1);

/** Licences per read: local queries are synchronous, and other requests run between two reads. */
const pageSize = 250;

/** An account's licences; null if the account doesn't exist. */
export async function readAccountLicences(ctx: Ctx, accountId: string): Promise<AccountLicences | null> {
  const { db } = ctx.store;
  const [[account], first] = await db.batch([
    db
      .select({ version: accounts.licenceVersion, endsRule: accounts.endsRule })
      .from(accounts)
      .where(eq(accounts.id, accountId)),
    pageOf(ctx, accountId, 0),
  ]);
  if (!account) return null;
  const rows = [...first];
  for (let page = first; page.length === pageSize; rows.push(...page)) {
    await yieldToEventLoop();
    page = await pageOf(ctx, accountId, page.at(-1)?.row ?? 0);
  }
  return { accountId, ...account, licences: rows.map(heldIn) };
}

const row = sql<number>`${licences}.rowid`;

const pageOf = ({ store: { db } }: Ctx, accountId: string, after: number) =>
  db
    .select({
      row: row.as("row"),
      id: licences.id,
      paymentId: licences.paymentId,
      level: licences.level,
      chain: licences.chain,
      livemode: licences.livemode,
      days: licences.days,
      devices: licences.devices,
      fixedEndsAt: licences.fixedEndsAt,
      paidUntil: licences.paidUntil,
      redeemedAt: licences.redeemedAt,
      expiresAt: licences.expiresAt,
      paymentStatus: licences.paymentStatus,
      paymentFellAt: licences.paymentFellAt,
      suspendedAt: licences.suspendedAt,
      revokedAt: licences.revokedAt,
      extensions: sql<string>`(SELECT json_group_array(json_array(added.id, added.days, added.added_at, added.begins_at))
        FROM ${licenceExtensions} AS added WHERE added.licence_id = licences.id)`,
    })
    .from(licences)
    .where(and(eq(licences.accountId, accountId), sql`${row} > ${after}`))
    .orderBy(row)
    .limit(pageSize);

type Row = Awaited<ReturnType<typeof pageOf>>[number];

function heldIn({ extensions, redeemedAt, ...licence }: Row): AccountLicence {
  if (!redeemedAt) throw new Error(`the licence ${licence.id} has an owner and was never redeemed`);
  return { ...licence, redeemedAt, extensions: extensions === "[]" ? [] : extensionsIn(extensions) };
}

const extensionsIn = (text: string): Extension[] =>
  (JSON.parse(text) as [string, number, number, number | null][]).map(([id, days, at, begins]) => ({
    id,
    days,
    addedAt: new Date(at),
    beginsAt: begins === null ? null : new Date(begins),
  }));

/**
 * The writes that store an account's ends as they follow from `after`: its licences once the commit is done. They
 * belong after the commit's own writes. The commit fails with `conflict` if another one has changed the account's time
 * since the read, or erased the account; read again then.
 */
export function endWrites(
  ctx: Ctx,
  owned: AccountLicences,
  after: HeldLicence[],
): { ends: Map<string, Date | null>; writes: Write[] } {
  const ends = endsOf(after, ctx);
  const before = new Map(owned.licences.map((licence) => [licence.id, licence]));
  const changed = [...ends].filter(([id, end]) => end?.getTime() !== before.get(id)?.expiresAt?.getTime());
  const moved = after.flatMap((licence): MovedEnd[] => {
    const was = before.get(licence.id);
    const end = ends.get(licence.id) ?? null;
    const isMoved = was && isSame(was, licence) && was.expiresAt?.getTime() !== end?.getTime();
    return isMoved ? [{ licence: licence.id, before: was.expiresAt, after: end }] : [];
  });
  return {
    ends,
    writes: [
      ...bumpVersion(ctx, owned),
      ...(changed.length > 0 ? [storeEnds(ctx, changed)] : []),
      ...logMoves(ctx, owned.accountId, moved),
    ],
  };
}

/** A licence whose end moved because another licence of its account was ended or restored. */
type MovedEnd = { licence: string; before: Date | null; after: Date | null };

/** The log already has the licence's own changes. */
const isSame = (was: HeldLicence, is: HeldLicence) =>
  JSON.stringify(causesOf(was)) === JSON.stringify(causesOf(is));

const causesOf = (licence: HeldLicence) => [
  licence.redeemedAt,
  licence.days,
  licence.fixedEndsAt,
  licence.paidUntil,
  licence.extensions.length,
  licence.suspendedAt,
  licence.revokedAt,
  licence.paymentStatus,
];

/** The most licences that a log entry names; it counts the rest. */
const mostNamed = 500;

function logMoves(ctx: Ctx, accountId: string, moved: MovedEnd[]): Write[] {
  if (moved.length === 0) return [];
  const named = moved.slice(0, mostNamed).map(({ licence, before, after }) => ({
    licence,
    before: before?.toISOString() ?? null,
    after: after?.toISOString() ?? null,
  }));
  const about = { actor: theShop, action: "licence.ends_moved", subject: accountId, accountId } as const;
  return [record(ctx, { ...about, detail: { moved: named, more: moved.length - named.length } })];
}

function bumpVersion(ctx: Ctx, { accountId, version }: AccountLicences): Write[] {
  return [
    ctx.store.db
      .update(accounts)
      .set({ licenceVersion: sql`${accounts.licenceVersion} + 1`, endsRule: endsRule(ctx) })
      .where(and(eq(accounts.id, accountId), eq(accounts.licenceVersion, version))),
    mustHaveChanged("conflict"),
  ];
}

/** An end that moves by less than this needs no new reminder. */
const sameReminderMilliseconds = hour;

/** One statement for any number of ends. */
function storeEnds({ store: { db } }: Ctx, ends: [id: string, end: Date | null][]): Write {
  const rows = JSON.stringify(ends.map(([id, end]) => [id, end?.getTime() ?? null]));
  const end = sql`ended.value ->> 1`;
  const isMoved = sql`coalesce(abs(${end} - ${licences.expiresAt}), ${sameReminderMilliseconds}) >= ${sameReminderMilliseconds}`;
  return db
    .update(licences)
    .set({
      expiresAt: end,
      lastReminderDays: sql`CASE WHEN ${isMoved} THEN 0 ELSE ${licences.lastReminderDays} END`,
    })
    .from(sql`json_each(${rows}) AS ended`)
    .where(eq(licences.id, sql`ended.value ->> 0`));
}
