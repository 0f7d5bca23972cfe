import { theShop } from "@/core/actor";
import { record } from "@/core/audit";
import type { Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { type Envelope, type Mailer, MailRejected } from "./email";

/** Whom or what an email is about: the id of a payment, licence or account, and of the account if it is known. */
export type About = { subject: string; accountId?: string | null };

/**
 * Sends an email. Resolves to null once it was accepted, or to the audit entry if the mail server refuses it for good.
 * Any other failure is thrown, to be tried again.
 */
export async function sendEmail(
  ctx: Ctx,
  mailer: Mailer,
  envelope: Envelope,
  { subject, accountId = null }: About,
): Promise<Write | null> {
  try {
    await mailer.send(envelope);
    return null;
  } catch (error) {
    if (!(error instanceof MailRejected)) throw error;
    const detail = { letter: envelope.email.kind };
    return record(ctx, { actor: theShop, action: "mail.rejected", subject, accountId, detail });
  }
}
