import type { Write } from "./commit";
import type { Ctx } from "./context";
import { post } from "./outbox";
import type { Posted } from "./outbox-topics";

export type NoticePayload = Posted<"staff.notice">;
export type NoticeKind = NoticePayload["kind"];

/** Notifies staff, in the commit that makes it true. A `subject` waits at most once. */
export const notice = (ctx: Ctx, subject: string, payload: NoticePayload): Write =>
  post(ctx, { topic: "staff.notice", subject, payload });

/** Notifies staff of a sale, once no other notice is waiting. */
export const saleNotice = (ctx: Ctx, paymentId: string): Write =>
  post(ctx, { topic: "staff.sale", subject: `${paymentId}:sale` });
