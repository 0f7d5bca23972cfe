import type { Write } from "./commit";
import type { Ctx } from "./context";
import { post } from "./outbox";

/** Work on this topic tells staff something. */
export const noticeTopic = "staff.notice";

/** All that staff are told of; the operator's manual says of each what to do. */
export const noticeKinds = [
  "sale",
  "partial refund",
  "refund",
  "refund failed",
  "dispute",
  "fraud warning",
  "mismatch",
  "copied session",
  "letter rejected",
  "stuck",
  "trouble",
  "backup",
  "webhooks",
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** `what`: in a few words, where it says more than its kind; `sentence`: all of it, where it isn't about a payment. */
export type NoticePayload = { kind: NoticeKind; what?: string; sentence?: string };

/** Tells staff, for the commit that makes it true; each `subject` waits but once. */
export const notice = (ctx: Ctx, subject: string, payload: NoticePayload): Write =>
  post(ctx, { topic: noticeTopic, subject, payload });
