import { theShop } from "@/core/actor";
import { record } from "@/core/audit";
import type { Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { type Envelope, type Mailer, MailRejected } from "./email";

/** What an email is about: the id of a payment, licence or account, and the account's id if known. */
export type About = { subject: string; accountId?: string | null };

/**
 * Sends an email. Resolves to null once the server accepts it, or to the audit entry if the server refuses it for good.
 * Throws any other failure, for another attempt.
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
