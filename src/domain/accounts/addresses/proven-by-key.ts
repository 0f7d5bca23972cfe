import { and, eq } from "drizzle-orm";
import { mailboxOf } from "@/contract/vocabulary/addresses";
import { mustNotExist, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { accountById, type Requester } from "../sessions/account";
import { confirmEmailWrites, usesOfEmail } from "./free-email";
import { emailConfirmations } from "../../schema/accounts";
import type { Licence } from "../../schema/licences";

/** What the token in an email with a key proves: the key, and the address that the email went to. */
export type MailedKey = Pick<Licence, "keyHash"> & { email: string };

/** Whether the proof is for this key and address, so that its bearer has read the mailbox. */
export const provesMailbox = (
  mailed: MailedKey | null,
  { keyHash }: Pick<Licence, "keyHash">,
  email: string,
): boolean => mailed?.keyHash === keyHash && mailboxOf(mailed.email) === mailboxOf(email);

/**
 * The writes that confirm an account's address as it adds the key that was mailed there; none if that proves nothing, or
 * somebody has confirmed the address. They fail with `conflict` if somebody does so meanwhile.
 */
export async function confirmByKeyWrites(
  ctx: Ctx,
  { account: { id: accountId }, browser }: Pick<Requester, "account" | "browser">,
  licence: Pick<Licence, "keyHash">,
  mailed: MailedKey | null,
): Promise<Write[]> {
  if (mailed === null) return [];
  const { db } = ctx.store;
  const account = await accountById(ctx, accountId);
  if (!account?.email || account.emailConfirmedAt || !provesMailbox(mailed, licence, account.email))
    return [];
  const { email } = account;
  const others = usesOfEmail(ctx, email, accountId);
  if ((await db.batch(others)).some((rows) => rows.length > 0)) return [];
  return [
    ...others.map((used) => mustNotExist(used, "conflict")),
    ...confirmEmailWrites(ctx, { accountId, email, browser }),
    db
      .delete(emailConfirmations)
      .where(and(eq(emailConfirmations.accountId, accountId), eq(emailConfirmations.email, email))),
  ];
}
