import type { Write } from "@/core/commit";
import { type Ctx, newId } from "@/core/context";
import { enqueue } from "@/core/outbox";
import type { Account } from "./account";
import { type PostedNotice, type SecurityEvent, securityNoticeEmail } from "./emails/security-notice";
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
 * moment, if it has one, whatever happens to the account afterwards.
 */
export function notify(ctx: Ctx, account: Pick<Account, "id" | "email">, notice: Notice): Write[] {
  if (account.email === null) return [];
  const { browser, recoversUntil, ...rest } = notice;
  const payload: PostedNotice = {
    ...rest,
    ...(recoversUntil && { recoversUntil: recoversUntil.toISOString() }),
    accountId: account.id,
    to: account.email,
    at: ctx.now().toISOString(),
    address: browser.address,
    device: deviceName(browser.userAgent),
  };
  return [enqueue(ctx, { topic: securityNoticeEmail, subject: newId(), payload })];
}
