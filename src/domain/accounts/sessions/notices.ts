import type { Write } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { enqueue } from "@/core/jobs/outbox";
import { type Account, provenEmail } from "./account";
import { type PostedNotice, type SecurityEvent, securityNoticeEmail } from "../emails/security-notice";
import type { Browser } from "./sessions";
import { deviceName } from "./user-agent";

type Notice = {
  what: SecurityEvent;
  browser: Browser;
  newEmail?: string;
  codesLeft?: number;
  /** Until when the recipient's address still recovers the account. */
  recoversUntil?: Date;
};

/**
 * The outbox row for a security notice, for the same commit as the change. Goes to the account's address at this
 * moment, whatever happens to the account afterwards. A mailbox that nobody has confirmed gets none: the first email after it
 * is confirmed lists what happened before.
 */
export function notify(
  ctx: Ctx,
  account: Pick<Account, "id" | "email" | "emailConfirmedAt">,
  notice: Notice,
): Write[] {
  const to = provenEmail(account);
  if (to === null) return [];
  const { browser, recoversUntil, ...rest } = notice;
  const payload: PostedNotice = {
    ...rest,
    ...(recoversUntil && { recoversUntil: recoversUntil.toISOString() }),
    accountId: account.id,
    to,
    at: ctx.now().toISOString(),
    address: browser.address,
    device: deviceName(browser.userAgent),
  };
  return [enqueue(ctx, { topic: securityNoticeEmail, subject: newId(), payload })];
}
