import { eq } from "drizzle-orm";
import { type By, visitor } from "@/core/actor";
import { record } from "@/core/audit";
import { commit, mustHaveChanged } from "@/core/commit";
import { type Ctx, newId } from "@/core/context";
import { enqueue } from "@/core/outbox";
import { Refusal } from "@/core/refusal";
import { expectNoCopy } from "@/core/restored-copy";
import type { Account } from "./account";
import { applyEmail, expectNewEmail } from "./change-email";
import { rowOfToken } from "./link-token";
import { confirmAddressEmail, confirmationEnd, confirmationToSend } from "./emails/confirm-address";
import type { Browser } from "./sessions";
import { emailConfirmations } from "../schema/accounts";
import { authorize, expectConfirmed } from "../permissions";

/**
 * Support enters another address for a customer who can't reach their own: mails a link to the new address, and changes
 * nothing before somebody uses the link. Replaces an earlier request. Refuses with `email_unchanged`, `email_taken`, or
 * `copy` on a restored copy.
 */
export async function requestEmail(ctx: Ctx, account: Account, email: string, by: By): Promise<void> {
  authorize(by, "account.request_email");
  expectConfirmed(ctx, by, "account.request_email");
  // a restored copy would not send the link
  await expectNoCopy(ctx);
  await expectNewEmail(ctx, account, email);
  const { db } = ctx.store;
  const id = newId();
  const expiresAt = confirmationEnd(ctx);
  await commit(ctx.store, [
    db.delete(emailConfirmations).where(eq(emailConfirmations.accountId, account.id)),
    db.insert(emailConfirmations).values({ id, accountId: account.id, email, expiresAt }),
    enqueue(ctx, { topic: confirmAddressEmail, subject: id }),
    record(ctx, {
      ...by,
      action: "email.requested_by_staff",
      subject: account.id,
      accountId: account.id,
    }),
  ]);
}

/**
 * Confirms the new address, once, with the link that was mailed there. As with any change of email, the old address
 * gets a notice with an undo link. Resolves to the new address; refuses with `confirmation_invalid` or `email_taken`.
 */
export async function confirmEmail(ctx: Ctx, token: string, browser: Browser): Promise<string> {
  authorize(visitor, "account.confirm_email");
  const id = rowOfToken(ctx, "confirm", token);
  const found = id === null ? null : await confirmationToSend(ctx, id);
  if (!found) throw new Refusal("confirmation_invalid", { field: "token" });
  const { account, confirmation } = found;
  await expectNewEmail(ctx, account, confirmation.email);
  const { db } = ctx.store;
  await applyEmail(ctx, account, {
    email: confirmation.email,
    browser,
    confirmedAt: ctx.now(),
    first: [
      db.delete(emailConfirmations).where(eq(emailConfirmations.id, confirmation.id)),
      mustHaveChanged("confirmation_invalid"),
    ],
  });
  return confirmation.email;
}
