import { and, asc, eq, gt, gte, isNotNull, isNull, lt, sql } from "drizzle-orm";
import { addressKey } from "@/contract/vocabulary/addresses";
import { type OwnerMailKind, ownerMailKinds } from "@/contract/vocabulary/kinds";
import type { OwnerNotices } from "@/contract/wire/desk/notices";
import { day, hour } from "@/contract/vocabulary/time";
import type { DeskStaff } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, commitIfFirst, mustHaveChanged, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import type { Handler, Job } from "@/core/jobs/job-handlers";
import type { NoticeKind } from "../notice";
import { enqueue } from "@/core/jobs/outbox";
import type { botTopics } from "../outbox-topics";
import { authorize } from "../permissions";
import { withoutIndex } from "@/core/database/without-index";
import { accounts } from "../schema/accounts";
import { ownerMail, ownerNews } from "../schema/owner-mail";
import { staff } from "../schema/staff";
import { logNotice } from "./notices";
import { ownerDigestEmail } from "./emails/owner-notices";

const kinds: Partial<Record<NoticeKind, OwnerMailKind>> = {
  dispute: "disputes",
  "refund proposed": "refund_proposals",
  "address proposed": "address_proposals",
  stuck: "stuck_jobs",
  backup: "failed_backups",
};

/** Without a staff channel, notices go to the log, and those that need an owner wait for the owners' next email. */
export const notifyOwners =
  (ctx: Ctx): Handler<typeof botTopics.notifyStaff> =>
  async (job) => [...(await logNotice(ctx)(job)), ...keptForOwners(ctx, job)];

function keptForOwners(
  ctx: Ctx,
  { subject, payload }: Pick<Job<typeof botTopics.notifyStaff>, "subject" | "payload">,
): Write[] {
  const kind = kinds[payload.kind];
  if (!kind) return [];
  const createdAt = ctx.now();
  const next = sql`(SELECT max(coalesce(max(${ownerNews.sequence}), 0) + 1, ${createdAt.getTime()}) FROM ${ownerNews})`;
  return [ctx.store.db.insert(ownerNews).values({ sequence: next, kind, subject, payload, createdAt })];
}

const pauseMilliseconds = hour;
const keepMilliseconds = 7 * day;
const mostOwners = 200;
const mostInOne = 100;

/**
 * Mails every owner the notices since their last digest, at most one an hour, except at `except`, the address of
 * `OWNER_EMAIL`.
 */
export async function mailOwners(ctx: Ctx, except: string | null): Promise<void> {
  const { db } = ctx.store;
  const old = new Date(ctx.now().getTime() - keepMilliseconds);
  const [first] = await db
    .select({ at: ownerNews.sequence })
    .from(ownerNews)
    .where(gt(ownerNews.sequence, 0))
    .limit(1);
  if (!first) return;
  await commit(ctx.store, [db.delete(ownerNews).where(lt(ownerNews.createdAt, old))]);
  const owners = await db
    .select({ accountId: staff.accountId, since: staff.createdAt, email: accounts.email, mail: ownerMail })
    .from(staff)
    .innerJoin(accounts, eq(accounts.id, staff.accountId))
    .leftJoin(ownerMail, eq(ownerMail.accountId, staff.accountId))
    .where(
      and(
        eq(staff.role, "owner"),
        isNull(staff.asleepSince),
        withoutIndex(isNotNull(accounts.emailConfirmedAt)),
      ),
    )
    .limit(mostOwners);
  for (const owner of owners) {
    if (except === null || addressKey(except) !== addressKey(owner.email ?? "")) await mailOwner(ctx, owner);
  }
}

type Owner = { accountId: string; since: Date; mail: typeof ownerMail.$inferSelect | null };

async function mailOwner(ctx: Ctx, { accountId, since, mail }: Owner): Promise<void> {
  const { db } = ctx.store;
  const now = ctx.now();
  if (mail?.mailedAt && Math.abs(now.getTime() - mail.mailedAt.getTime()) < pauseMilliseconds) return;
  const readTo = mail?.readTo ?? 0;
  const news = await db
    .select({ sequence: ownerNews.sequence, kind: ownerNews.kind })
    .from(ownerNews)
    .where(and(gt(ownerNews.sequence, readTo), gte(ownerNews.createdAt, since)))
    .orderBy(asc(ownerNews.sequence))
    .limit(mostInOne);
  const last = news.at(-1);
  if (!last) return;
  const wanted = news.filter(({ kind }) => !mail?.off.includes(kind)).map(({ sequence }) => sequence);
  const next = { readTo: last.sequence, ...(wanted.length > 0 ? { mailedAt: now } : {}) };
  // another process may have mailed them meanwhile
  await commitIfFirst(ctx.store, [
    db
      .insert(ownerMail)
      .values({ accountId, ...next })
      .onConflictDoUpdate({ target: ownerMail.accountId, set: next, setWhere: eq(ownerMail.readTo, readTo) }),
    mustHaveChanged("conflict"),
    ...(wanted.length > 0
      ? [
          enqueue(ctx, {
            topic: ownerDigestEmail,
            subject: `${accountId}:${last.sequence}`,
            payload: { wanted },
          }),
        ]
      : []),
  ]);
}

/** What an owner is mailed about. */
export async function ownerNoticesOf(ctx: Ctx, owner: DeskStaff): Promise<OwnerNotices> {
  authorize(owner, "owner_mail.choose");
  const off = await offOf(ctx, owner.accountId);
  return Object.fromEntries(ownerMailKinds.map((kind) => [kind, !off.includes(kind)])) as OwnerNotices;
}

async function offOf({ store: { db } }: Ctx, accountId: string): Promise<OwnerMailKind[]> {
  const [row] = await db
    .select({ off: ownerMail.off })
    .from(ownerMail)
    .where(eq(ownerMail.accountId, accountId));
  return row?.off ?? [];
}

type Choice = { [K in OwnerMailKind]?: boolean | undefined };

/** Changes what an owner is mailed about; kinds that are left out stay as they were. */
export async function chooseOwnerNotices(
  ctx: Ctx,
  owner: DeskStaff,
  { choice, reason }: { choice: Choice; reason: string },
): Promise<OwnerNotices> {
  authorize(owner, "owner_mail.choose");
  const { accountId } = owner;
  const before = await offOf(ctx, accountId);
  const off = ownerMailKinds.filter((kind) => !(choice[kind] ?? !before.includes(kind)));
  await commit(ctx.store, [
    ctx.store.db
      .insert(ownerMail)
      .values({ accountId, off })
      .onConflictDoUpdate({ target: ownerMail.accountId, set: { off } }),
    record(ctx, {
      actor: owner,
      action: "staff.notices_chosen",
      subject: accountId,
      accountId,
      reason,
      detail: { off },
    }),
  ]);
  return ownerNoticesOf(ctx, owner);
}
