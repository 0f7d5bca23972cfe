import type { Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { enqueue } from "@/core/jobs/outbox";
import { type Payload } from "@/core/database/topic";
import { botTopics, ownerNotice } from "./outbox-topics";

export type NoticePayload = Payload<typeof botTopics.notifyStaff>;
export type NoticeKind = NoticePayload["kind"];

/** Kinds of notice that need no action. */
export const noActionKinds: ReadonlySet<NoticeKind> = new Set(["refund", "sale"]);

/**
 * Enqueues a notice for staff and, if it needs a person, an email to the owner. At most one notice of a `subject`
 * waits at a time.
 */
export const notice = (
  ctx: Ctx,
  subject: string,
  payload: NoticePayload,
  { needsSomebody = !noActionKinds.has(payload.kind) } = {},
): Write[] => [
  enqueue(ctx, { topic: botTopics.notifyStaff, subject, payload }),
  ...(needsSomebody ? [enqueue(ctx, { topic: ownerNotice, subject, payload })] : []),
];

/** Enqueues a notice of a sale, which staff get after all other notices. */
export const saleNotice = (ctx: Ctx, paymentId: string): Write =>
  enqueue(ctx, { topic: botTopics.notifyStaffOfSale, subject: `${paymentId}:sale` });
