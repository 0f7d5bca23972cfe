import { arePlainWords } from "@/contract/plain-words";
import type { Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import type { Handler, Handlers } from "@/core/outbox";
import type { Envelope, Mailer } from "../mail/letter";
import { sendLetter } from "../mail/send-letter";
import { maskName } from "../mail/mask";
import { confirmationHours, confirmationToSend } from "./confirm-email";
import { linkToken } from "./link-token";
import { noticeLetter } from "./notices";
import { codeToSend, recoveryMinutes } from "./recovery-code";
import { logRoutine } from "./security-log";

/**
 * Outbox handlers for the letters about accounts. With mail off they are dropped: codes and notices are
 * useless later.
 */
export function accountLetters(ctx: Ctx, mailer: Mailer | null, publicUrl: URL): Handlers {
  if (!mailer) {
    return { "mail.recovery-code": dropped, "mail.security-notice": dropped, "mail.confirm-email": dropped };
  }
  const messageId = (what: string, id: string) => `<${what}.${id}@${publicUrl.hostname}>`;
  /** A permanent rejection ends the job. */
  const deliver = async (
    accountId: string,
    envelope: Envelope,
    delivered: Write[] = [],
  ): Promise<Write[]> => {
    const rejected = await sendLetter(ctx, mailer, envelope, { subject: accountId, accountId });
    return rejected ? [rejected] : delivered;
  };
  return {
    "mail.recovery-code": async ({ subject }) => {
      const found = await codeToSend(ctx, subject);
      if (!found) return [];
      const { account, code } = found;
      const letter = { kind: "recovery-code", code, minutes: recoveryMinutes } as const;
      const envelope = { to: account.email, messageId: messageId("recovery", subject), letter };
      return deliver(account.id, envelope, logRoutine(ctx, { code: "recovery.sent", accountId: account.id }));
    },
    "mail.security-notice": async ({ subject, payload: notice }) => {
      const { undoId } = notice;
      const undo = undoId ? linkUrl(publicUrl, "/undo-email", linkToken(ctx, "undo", undoId)) : null;
      return deliver(notice.accountId, {
        to: notice.to,
        messageId: messageId(notice.what, subject),
        letter: noticeLetter(notice, undo),
      });
    },
    "mail.confirm-email": async ({ subject }) => {
      const found = await confirmationToSend(ctx, subject);
      if (!found) return [];
      const { account, confirmation, token } = found;
      return deliver(account.id, {
        to: confirmation.email,
        messageId: messageId("confirm", subject),
        letter: {
          kind: "confirm-email",
          // a name with a dot may be one that mail programs make a link of
          username: arePlainWords(account.username) ? account.username : maskName(account.username),
          confirmUrl: linkUrl(publicUrl, "/confirm-email", token),
          hours: confirmationHours,
        },
      });
    },
  };
}

const dropped: Handler = () => Promise.resolve([]);

/** The token goes into the fragment, which never reaches a server, proxy or log. */
const linkUrl = (publicUrl: URL, path: string, token: string) => new URL(`${path}#${token}`, publicUrl).href;
