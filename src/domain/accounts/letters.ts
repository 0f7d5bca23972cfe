import { audit } from "@/core/audit";
import type { Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import type { Handler, Handlers } from "@/core/outbox";
import { type Envelope, type Mailer, MailRejected } from "../mail/letter";
import { confirmationHours, confirmationToSend } from "./confirm-email";
import { linkToken } from "./link-token";
import { noticeLetter } from "./notices";
import { codeToSend, recoveryMinutes } from "./recovery-code";
import { logSecurity } from "./security-log";

/**
 * Outbox handlers for the letters about accounts. With mail off they are dropped: codes and notices are
 * useless later.
 */
export function accountLetters(ctx: Ctx, mailer: Mailer | null, publicUrl: URL): Handlers {
  if (!mailer) {
    return { "mail.recovery-code": dropped, "mail.security-notice": dropped, "mail.confirm-email": dropped };
  }
  const messageId = (what: string, id: string) => `<${what}.${id}@${publicUrl.hostname}>`;
  return {
    "mail.recovery-code": async ({ subject }) => {
      const found = await codeToSend(ctx, subject);
      if (!found) return [];
      const { account, code } = found;
      const letter = { kind: "recovery-code", code, minutes: recoveryMinutes } as const;
      const rejected = await deliver(ctx, mailer, {
        accountId: account.id,
        envelope: { to: account.email, messageId: messageId("recovery", subject), letter },
      });
      return rejected ?? [logSecurity(ctx, { code: "recovery.sent", accountId: account.id })];
    },
    "mail.security-notice": async ({ subject, payload: notice }) => {
      const { undoId } = notice;
      const undo = undoId ? linkUrl(publicUrl, "/undo-email", linkToken(ctx, "undo", undoId)) : null;
      const rejected = await deliver(ctx, mailer, {
        accountId: notice.accountId,
        envelope: {
          to: notice.to,
          messageId: messageId(notice.what, subject),
          letter: noticeLetter(notice, undo),
        },
      });
      return rejected ?? [];
    },
    "mail.confirm-email": async ({ subject }) => {
      const found = await confirmationToSend(ctx, subject);
      if (!found) return [];
      const { account, confirmation, token } = found;
      const rejected = await deliver(ctx, mailer, {
        accountId: account.id,
        envelope: {
          to: confirmation.email,
          messageId: messageId("confirm", subject),
          letter: {
            kind: "confirm-email",
            username: account.username,
            confirmUrl: linkUrl(publicUrl, "/confirm-email", token),
            hours: confirmationHours,
          },
        },
      });
      return rejected ?? [];
    },
  };
}

const dropped: Handler = () => Promise.resolve([]);

/** The token goes into the fragment, which never reaches a server, proxy or log. */
const linkUrl = (publicUrl: URL, path: string, token: string) => new URL(`${path}#${token}`, publicUrl).href;

/** A permanent rejection ends the job and is logged; any other error is thrown, to be tried again. */
async function deliver(
  ctx: Ctx,
  mailer: Mailer,
  { accountId, envelope }: { accountId: string; envelope: Envelope },
): Promise<Write[] | null> {
  try {
    await mailer.send(envelope);
    return null;
  } catch (error) {
    if (!(error instanceof MailRejected)) throw error;
    const detail = { letter: envelope.letter.kind };
    return [audit(ctx, { actor: "shop", action: "mail.rejected", subject: accountId, accountId, detail })];
  }
}
