import { and, desc, eq, exists, gt, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { StaffRole } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { boughtByAccount } from "../../licences/entitlement/buyer";
import { ladderIn } from "../../levels/list";
import { activeLicences } from "../../licences/entitlement/active";
import { isEntitled } from "../../licences/entitlement/entitlement";
import { accounts, emailConfirmations } from "../../schema/accounts";
import { devices } from "../../schema/devices";
import { links } from "../../schema/discord";
import { licences } from "../../schema/licences";
import { staff } from "../../schema/staff";
import { subscriptions } from "../../schema/subscriptions";
import { nowPlaceholder, sessionReaderWith } from "./sessions";

/** Null for customers. */
const staffRole = ({ store: { db } }: Ctx, which?: SQL) =>
  sql<StaffRole | null>`(${db
    .select({ role: staff.role })
    .from(staff)
    .where(and(eq(staff.accountId, accounts.id), which))})`;

/** Reads who is signed in, whether the account has a licence that entitles it now, and its role as staff while awake. */
export const entitledAccountReader = (ctx: Ctx) =>
  sessionReaderWith(ctx, {
    entitled: isEntitled(ctx, accounts.id, nowPlaceholder),
    staffRole: staffRole(ctx, isNull(staff.asleepSince)),
  });

export type OwnAccount = NonNullable<Awaited<ReturnType<ReturnType<typeof ownAccountReader>>>>;

/** Reads who is signed in, and everything that an account's owner sees of it on every page. */
export function ownAccountReader(ctx: Ctx) {
  const { db } = ctx.store;
  return sessionReaderWith(ctx, {
    active: activeLicences(ctx, accounts.id, nowPlaceholder),
    ladder: ladderIn(),
    /** Computers kept, active or not. */
    devices: sql<number>`(${db
      .select({ count: sql`count(*)` })
      .from(devices)
      .where(eq(devices.accountId, accounts.id))})`,
    linked: exists(
      db
        .select({ one: sql`1` })
        .from(links)
        .where(eq(links.accountId, accounts.id)),
    ).mapWith(Boolean),
    /** Its newest subscription whose last renewal failed, and when the licence ends unless that is paid. */
    pastDue: sql`(${db
      .select({ found: sql`json_array(${subscriptions.id}, ${licences.expiresAt})` })
      .from(subscriptions)
      .leftJoin(licences, eq(licences.primaryPaymentId, subscriptions.id))
      .where(
        and(
          boughtByAccount(db),
          eq(subscriptions.status, literally("past_due")),
          // who cancelled it meanwhile is not asked to pay on every page
          isNull(subscriptions.endsAt),
          eq(subscriptions.livemode, ctx.livemode),
        ),
      )
      .orderBy(desc(subscriptions.startedAt), desc(subscriptions.id))
      .limit(1)})`.mapWith(pastDueIn),
    staffRole: staffRole(ctx),
    staffAsleep: exists(
      db
        .select({ one: sql`1` })
        .from(staff)
        .where(and(eq(staff.accountId, accounts.id), isNotNull(staff.asleepSince))),
    ).mapWith(Boolean),
    /** The address that a change waits for. */
    emailPending: sql<string | null>`(${db
      .select({ email: emailConfirmations.email })
      .from(emailConfirmations)
      .where(
        and(
          eq(emailConfirmations.accountId, accounts.id),
          gt(emailConfirmations.expiresAt, nowPlaceholder),
          sql`${emailConfirmations.email} IS NOT ${accounts.email}`,
        ),
      )})`,
  });
}

type PastDue = { subscription: string; until: Date | null };

/** Drizzle maps null to null without calling this. */
function pastDueIn(found: string): PastDue | null {
  const [subscription, until] = JSON.parse(found) as [string, number | null];
  return { subscription, until: until === null ? null : new Date(until) };
}

/**
 * A word as part of the statement instead of a value given with each run. If a partial index names a word for a column,
 * such as `WHERE status = 'trialing'`, SQLite compiles a statement that compares that column with a value again at each
 * run, because the value decides whether the index can serve. That cost the account's own query 80 µs.
 */
const literally = (word: string): SQL => sql`${word}`.inlineParams();
