import type { Write } from "./commit";
import type { Ctx } from "./context";
import { enqueue } from "./outbox";
import { botTopics, ownerNotice, type Payload } from "./outbox-topics";

export type NoticePayload = Payload<typeof botTopics.notifyStaff>;
export type NoticeKind = NoticePayload["kind"];

/** Kinds after which nobody has anything to do. */
export const onlyNews: ReadonlySet<NoticeKind> = new Set(["refund", "sale"]);

/**
 * Notifies staff, in the commit that makes it true, and mails the owner what needs somebody. A `subject` waits at most
 * once.
 */
export const notice = (
  ctx: Ctx,
  subject: string,
  payload: NoticePayload,
  { needsSomebody = !onlyNews.has(payload.kind) } = {},
): Write[] => [
  enqueue(ctx, { topic: botTopics.notifyStaff, subject, payload }),
  ...(needsSomebody ? [enqueue(ctx, { topic: ownerNotice, subject, payload })] : []),
];

/** Notifies staff of a sale, once no other notice is waiting. */
export const saleNotice = (ctx: Ctx, paymentId: string): Write =>
  enqueue(ctx, { topic: botTopics.notifyStaffOfSale, subject: `${paymentId}:sale` });
