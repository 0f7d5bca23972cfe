import { utcTime } from "@/contract/vocabulary/dates";
import { createHash } from "node:crypto";
import { and, asc, eq, inArray, isNotNull, isNull } from "drizzle-orm";
import { z } from "zod";
import { disputeReason as reasonOfDispute } from "@/contract/vocabulary/dispute-words";
import { money } from "@/contract/vocabulary/money";
import { minute } from "@/contract/vocabulary/time";
import type { Ctx } from "@/core/database/context";
import type { NoticeKind } from "../../notice";
import { ownerNotice } from "../../outbox-topics";
import { timeLeftText } from "@/core/base/time-left";
import { billInWords, billOf } from "../../bills/bill";
import {
  type Block,
  button,
  type Fact,
  factLines,
  facts,
  heading,
  paragraph,
  quiet,
  subheading,
} from "../../mail/blocks";
import type { Email } from "../../mail/email";
import { type EmailJob, emailTemplate, gatheredEmail } from "../../mail/template";
import { withoutIndex } from "@/core/database/without-index";
import { staff } from "../../schema/staff";
import { accounts } from "../../schema/accounts";
import { ownerNews } from "../../schema/owner-mail";
import type { Payment } from "../../schema/payments";
import { answerByOf, byUrgency, type Notice, noticeOf, titleOf } from "../notices";
import { clearReportWrite, isReported, reportOnce } from "../report-once";

/** Names the report that the mail server refuses the owner's address. */
export const ownerMailReport = "owner mail";

/** The pause between two emails; the next one gathers notices that arrive meanwhile. */
const pauseMilliseconds = 10 * minute;
const mostAtOnce = 2_000;
/**
 * The most notices that an email shows in full; it counts the others. Mail programs cut an email of more than 100 kB.
 */
const mostInFull = 50;

/**
 * Mails the owner the notices that need a person, most urgent first, in a lane and on a connection of its own. Notices
 * within ten minutes of an email go into the next one.
 */
export const ownerNoticesEmail = gatheredEmail({
  ...ownerNotice,
  most: mostAtOnce,
  pauseMilliseconds,
  recipient: ({ owner }) => owner.email,
  async prepare(ctx, jobs, { owner }) {
    const wasRefused = await isReported(ctx, ownerMailReport);
    return {
      id: `owner-notices.${nameOf(jobs)}`,
      email: await emailOf(ctx, jobs, owner.elsewhere),
      about: { subject: "OWNER_EMAIL" },
      delivered: () => (wasRefused ? [clearReportWrite(ctx, ownerMailReport)] : []),
      async rejected() {
        const sentence =
          "The mail server refused an email to OWNER_EMAIL for good. Until it accepts one, nobody is mailed about what needs attention.";
        await reportOnce(ctx, ownerMailReport, { kind: "trouble", sentence });
        return [];
      },
    };
  },
});

/**
 * Mails one of the owners what needs them, where nobody reads a staff channel; the subject is the account's id and the
 * last of these news.
 */
export const ownerDigestEmail = emailTemplate({
  name: "mail.owner-digest",
  payload: z.object({ wanted: z.array(z.int()) }),
  async prepare(ctx, { subject, payload: { wanted } }, { publicUrl }) {
    const [accountId = ""] = subject.split(":");
    const { db } = ctx.store;
    const [account] = await db
      .select({ to: accounts.email })
      .from(accounts)
      .innerJoin(staff, eq(staff.accountId, accounts.id))
      .where(
        and(
          eq(accounts.id, accountId),
          withoutIndex(
            and(isNotNull(accounts.emailConfirmedAt), eq(staff.role, "owner"), isNull(staff.asleepSince)),
          ),
        ),
      );
    const news = await db
      .select()
      .from(ownerNews)
      .where(inArray(ownerNews.sequence, wanted))
      .orderBy(asc(ownerNews.sequence));
    if (!account || news.length === 0) return null;
    const notices = [];
    for (const one of news) notices.push(ownersNotice(ctx, await noticeOf(ctx, one)));
    return {
      to: account.to,
      id: `owner-digest.${subject.replace(":", ".")}`,
      email: writeOwnerNotices({
        notices,
        count: notices.length,
        further: null,
        desk: new URL("/desk", publicUrl).href,
      }),
      about: { subject: accountId, accountId },
    };
  },
});

type NoticeJob = EmailJob<z.output<typeof ownerNotice.payload>>;

async function emailOf(ctx: Ctx, jobs: NoticeJob[], elsewhere: string): Promise<Email> {
  const sorted = jobs.toSorted(byUrgency);
  const notices: OwnersNotice[] = [];
  for (const job of sorted.slice(0, mostInFull)) notices.push(ownersNotice(ctx, await noticeOf(ctx, job)));
  const counted = sorted.slice(mostInFull);
  const kinds = Object.entries(Object.groupBy(counted, ({ payload }) => payload.kind));
  const each = kinds.map(([kind, some]) => `${some.length} × ${kind}`).join(", ");
  const further = counted.length > 0 ? `${counted.length} more: ${each}. They are in ${elsewhere}.` : null;
  return writeOwnerNotices({ notices, count: jobs.length, further });
}

/** Facts by name, or a sentence, and what to do. */
type OwnersNotice = { title: string; facts: Fact[]; sentence: string | null; next: string | null };

/** Most urgent first; `further` counts those not listed, of `count` in all. */
type Content = {
  notices: OwnersNotice[];
  count: number;
  further: string | null;
  /** The address of the desk, for an owner on the staff. */
  desk?: string;
};

/** Notices that need a person. */
export function writeOwnerNotices({ notices, count, further, desk }: Content): Email {
  const [first] = notices;
  return {
    kind: "owner-notices",
    connections: "bulk",
    toOwner: true,
    subject: count === 1 ? (first?.title ?? "") : `${count} notices, first: ${first?.title}`,
    preheader: first ? summary(first) : "",
    blocks: [
      ...noticesIn(notices, count),
      ...(further ? [paragraph(further)] : []),
      ...(desk ? [button("Open the desk", desk)] : []),
    ],
    why: desk
      ? "You're receiving this because you're an owner of the shop. You can turn it off in the desk's settings."
      : "You're receiving this because the shop's OWNER_EMAIL is this address.",
  };
}

function noticesIn(notices: OwnersNotice[], count: number): Block[] {
  const [only] = notices;
  if (only && count === 1) return [heading(only.title), ...contentOf(only)];
  const each = notices.flatMap((one) => [subheading(one.title), ...contentOf(one)]);
  return [heading(`${count} notices`), ...each];
}

const contentOf = ({ facts: known, sentence, next }: OwnersNotice): Block[] => [
  ...(sentence ? [paragraph(sentence)] : []),
  ...(known.length > 0 ? [facts(...known)] : []),
  ...(next ? [quiet(next)] : []),
];

const summary = ({ title, facts: known, sentence, next }: OwnersNotice): string =>
  [title, sentence, factLines(known), next].filter(Boolean).join(" · ");

function ownersNotice(ctx: Ctx, notice: Notice): OwnersNotice {
  const { kind, sentence, payment } = notice;
  // a dispute that awaits no answer is only news
  const isOver = kind === "dispute" && answerByOf(notice) === null;
  const next = isOver ? null : (nextSteps[kind]?.(payment?.id ?? "<payment>") ?? null);
  return { title: titleOf(notice), facts: payment ? factsOf(ctx, notice, payment) : [], sentence, next };
}

function factsOf(ctx: Ctx, notice: Notice, payment: Payment): Fact[] {
  const { disputeAmount: amount, disputeCurrency: currency, disputeReason } = payment;
  const answerBy = answerByOf(notice);
  const disputed: [string, string | null][] = [
    ["Disputed", amount !== null && currency !== null ? money(amount, currency) : null],
    ["Reason", disputeReason && reasonOfDispute(disputeReason)],
    ["Answer by", answerBy && `${utcTime(answerBy)} (${timeLeftText(answerBy, ctx.now())})`],
  ];
  const all: [string, string | null][] = [
    ["Amount", billInWords(billOf(payment))],
    ["Payment", payment.intentId ?? payment.sessionId],
    ["License key", notice.keys.join(", ")],
    ["Differs in", payment.mismatch],
    ...(notice.kind === "dispute" ? disputed : []),
  ];
  return all.flatMap(([name, value]): Fact[] => (value ? [[name, value]] : []));
}

/** What to do about a notice, given our payment id; the operator's manual says more. */
const nextSteps: Partial<Record<NoticeKind, (payment: string) => string>> = {
  dispute: (id) =>
    `Read the evidence and answer before the deadline on the desk, or with: shop payments evidence ${id}, then --submit --reason "…".`,
  "fraud warning": (id) =>
    `A dispute is likely. Refunding now costs less: shop payments refund ${id} --reason "…".`,
  "refund failed": () =>
    "The money went back to Stripe, and the license is valid again. Refund in another way, or leave it.",
  mismatch: () => "No key was given. Look at it in Stripe; refund it there, or run shop licences issue.",
  "copied session": () => "Nothing was sold. Roll the Stripe keys if you didn't create this session.",
  "refund proposed": () => "Approve or decline it on the desk.",
  "address proposed": () => "Approve or decline it on the desk.",
  stuck: () => "Run shop outbox list.",
  webhooks: () => "Check the endpoint at Stripe, then run shop doctor.",
  "stripe key": () => "Change the key at Stripe, then run shop doctor.",
  backup: () => "Run shop backup.",
  "partial refund": (id) =>
    `Choose which keys end: shop payments show ${id} lists them, shop licences revoke ends one.`,
  "letter rejected": () =>
    "Contact the customer in another way, or correct the address with shop payments correct-email.",
};

/** The same notices again, after a crash, make the same email (RFC 5322 §3.6.4). */
function nameOf(jobs: Pick<NoticeJob, "key" | "generation" | "createdAt">[]): string {
  const each = jobs.map(({ key, generation, createdAt }) => `${key}:${generation}:${createdAt.getTime()}`);
  return createHash("sha256").update(each.toSorted().join("\n")).digest("hex").slice(0, 32);
}
