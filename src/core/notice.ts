import type { Write } from "./commit";
import type { Ctx } from "./context";
import { post } from "./outbox";

/** Work on this topic tells staff something. */
export const noticeTopic = "staff.notice";

/** All that staff are told of, most urgent first; the operator's manual says of each what to do. */
export const noticeKinds = [
  "dispute",
  "fraud warning",
  "refund failed",
  "mismatch",
  "copied session",
  "trouble",
  "stuck",
  "webhooks",
  "stripe key",
  "backup",
  "refund",
  "partial refund",
  "letter rejected",
  "sale",
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** `what`: in a few words, where it says more than its kind; `sentence`: all of it, where it isn't about a payment. */
export type NoticePayload = { kind: NoticeKind; what?: string; sentence?: string };

/** Tells staff, for the commit that makes it true; each `subject` waits but once. Sales wait for everything else. */
export const notice = (ctx: Ctx, subject: string, payload: NoticePayload): Write =>
  post(ctx, { topic: noticeTopic, subject, payload, ahead: payload.kind !== "sale" });
