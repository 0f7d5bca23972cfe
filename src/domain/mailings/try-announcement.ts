import type { Actor, By } from "@/core/base/actor";
import { commit } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { enqueue } from "@/core/jobs/outbox";
import { Refusal } from "@/core/base/refusal";
import { expectNoCopy } from "@/core/database/restored-copy";
import type { Account } from "../accounts/sessions/account";
import type { Email } from "../mail/email";
import { authorize } from "../permissions";
import { expectMail, expectOffer, type NewAnnouncement } from "./announce";
import { type Counted, countCustomers } from "./count-customers";
import { announcementTestEmail, writeAnnouncement } from "./emails/announcement";

type Letter = Pick<NewAnnouncement, "subject" | "content">;

/**
 * An announcement as a customer would get it, and for how many customers it is. Sends nothing. Refuses with
 * `offer_unknown`.
 */
export async function previewAnnouncement(
  ctx: Ctx,
  { subject, content, ...audience }: NewAnnouncement,
  actor: Actor,
): Promise<{ email: Email; counted: Counted }> {
  authorize(actor, "announcement.make");
  if (audience.offer !== null) await expectOffer(ctx, audience.offer);
  const email = writeAnnouncement({ subject, content, isBuyer: false, unsubscribeUrl: "#" });
  return { email, counted: await countCustomers(ctx, audience) };
}

type Asked = { account: Pick<Account, "id" | "email">; mail: "on" | "off"; by: By };

/**
 * Mails an announcement to the member of staff who asks, and to nobody else. Resolves to their address; refuses with
 * `copy` on a restored copy, with `mail_off`, and with `email_unconfirmed` if they have no address.
 */
export async function testAnnouncement(
  ctx: Ctx,
  { subject, content }: Letter,
  { account: { id, email }, mail, by }: Asked,
): Promise<string> {
  authorize(by, "announcement.make");
  await expectNoCopy(ctx);
  expectMail(mail);
  if (email === null) throw new Refusal("email_unconfirmed");
  await commit(ctx.store, [
    enqueue(ctx, {
      topic: announcementTestEmail,
      subject: `${id}:${newId()}`,
      payload: { subject, content },
    }),
  ]);
  return email;
}
