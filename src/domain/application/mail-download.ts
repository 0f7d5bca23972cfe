import type { PaidPlatform } from "@/contract/vocabulary/builds";
import type { LimitTable } from "@/contract/vocabulary/limits";
import { Refusal } from "@/core/base/refusal";
import { commit } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { enqueue } from "@/core/jobs/outbox";
import { spend } from "@/core/limits/limits";
import { provenEmail, type Requester } from "../accounts/sessions/account";
import { authorize } from "../permissions";
import { downloadLinkEmail } from "./emails/download-link";

/**
 * Mails an account the link to the download page, for a computer, and resolves to the address. Refuses with
 * `own_email_unconfirmed`: nobody knows yet whose mailbox it is.
 */
export async function mailDownload(
  ctx: Ctx,
  limits: LimitTable,
  { actor, account }: Requester,
  file: PaidPlatform | null,
): Promise<string> {
  authorize(actor, "account.mail_download");
  const email = provenEmail(account);
  if (email === null) throw new Refusal("own_email_unconfirmed");
  await spend(ctx, limits["download-link"], account.id);
  await commit(ctx.store, [
    enqueue(ctx, { topic: downloadLinkEmail, subject: account.id, payload: { file, wish: newId() } }),
  ]);
  return email;
}
