import type { Write } from "./commit";
import type { Ctx } from "./context";
import { enqueue } from "./outbox";
import type { PayloadOf } from "./outbox-topics";

export type NoticePayload = PayloadOf<"staff.notice">;
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
  enqueue(ctx, { topic: "staff.notice", subject, payload }),
  ...(needsSomebody ? [enqueue(ctx, { topic: "owner.notice", subject, payload })] : []),
];

/** Notifies staff of a sale, once no other notice is waiting. */
export const saleNotice = (ctx: Ctx, paymentId: string): Write =>
  enqueue(ctx, { topic: "staff.sale", subject: `${paymentId}:sale` });
