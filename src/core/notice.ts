import type { Write } from "./commit";
import type { Ctx } from "./context";
import { post } from "./outbox";
import type { Posted } from "./outbox-topics";

export type NoticePayload = Posted<"staff.notice">;
export type NoticeKind = NoticePayload["kind"];

/** Tells staff, for the commit that makes it true; each `subject` waits but once. Sales wait for everything else. */
export const notice = (ctx: Ctx, subject: string, payload: NoticePayload): Write =>
  post(ctx, { topic: "staff.notice", subject, payload, ahead: payload.kind !== "sale" });
