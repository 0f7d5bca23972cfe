import { and, eq, isNull, lt, sql } from "drizzle-orm";
import { addressKey } from "@/contract/vocabulary/addresses";
import { typedCode } from "@/contract/vocabulary/typed-codes";
import { type By, visitor } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, mustHaveChanged, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import type { LimitTable } from "@/contract/vocabulary/limits";
import { spendAll } from "@/core/limits/limits";
import { Refusal } from "@/core/base/refusal";
import { expectNoCopy } from "@/core/database/restored-copy";
import { sameSecret } from "@/core/secrets/secrets";
import { plainWords } from "../../mail/format";
import { type Account, type Requester, mustBeSignedIn } from "../sessions/account";
import { applyEmail, expectNewEmail } from "./change-email";
import { commitEmail, confirmEmailWrites } from "./free-email";
import { rowOfToken } from "../sessions/link-token";
import {
  confirmationCodeOf,
  confirmationOf,
  confirmationToSend,
  confirmationWrites,
  spendOnMailbox,
} from "../emails/confirm-address";
import type { Browser } from "../sessions/sessions";
import { accounts, emailConfirmations } from "../../schema/accounts";
import { authorize, expectConfirmed } from "../../permissions";

/** After so many wrong tries the code ends; the link still works. */
const mostTries = 3;

/**
 * Support enters another address for a customer who can't reach their own: mails a link to the new address, and changes
 * nothing until somebody uses it. `endsFormer`: somebody else has the present address by now, so neither it nor an earlier
 * one can take the account back. Replaces an earlier request. Refuses with `email_unchanged`, `email_taken`, or `copy` on a
 * restored copy.
 */
export async function requestEmail(
  ctx: Ctx,
  account: Account,
  { email, endsFormer }: { email: string; endsFormer: boolean },
  by: By,
): Promise<void> {
  authorize(by, "account.request_email");
  expectConfirmed(ctx, by, "account.request_email");
  // a restored copy would not send the link
  await expectNoCopy(ctx);
  await expectNewEmail(ctx, account, email);
  await commit(ctx.store, [
    ...confirmationWrites(ctx, { accountId: account.id, email, byOwner: false, endsFormer }),
    record(ctx, {
      ...by,
      action: "email.requested_by_staff",
      subject: account.id,
      accountId: account.id,
    }),
  ]);
}

/**
 * Mails a new link and code: to the address of a pending change, or else to the account's own unconfirmed one. Resolves to
 * the address; refuses with `email_confirmed`.
 */
export async function sendConfirmation(ctx: Ctx, limits: LimitTable, requester: Requester): Promise<string> {
  const { actor, account } = requester;
  authorize(actor, "account.change_email");
  const own =
    account.email === null || account.emailConfirmedAt !== null
      ? null
      : { email: account.email, byOwner: true, endsFormer: false };
  const asked = (await confirmationOf(ctx, account.id)) ?? own;
  if (!asked) throw new Refusal("email_confirmed");
  const { email, byOwner, endsFormer } = asked;
  await spendOnMailbox(ctx, limits, { accountId: account.id, email });
  await commit(ctx.store, [
    // a recovery in between ends the request and every session
    ...mustBeSignedIn(ctx, requester),
    ...confirmationWrites(ctx, { accountId: account.id, email, byOwner, endsFormer }),
  ]);
  return email;
}

type ConfirmContext = { browser: Browser; signedIn: string | null };

/**
 * Confirms an address, once, with the link that was mailed there. The browser has to be signed in to the account that asked
 * for it, since anybody can enter an address that isn't theirs; but not if support entered it, since its owner may have no
 * session. Resolves to the address; refuses with `confirmation_invalid`, `confirm_elsewhere` or `email_taken`.
 */
export async function confirmEmail(
  ctx: Ctx,
  token: string,
  { browser, signedIn }: ConfirmContext,
): Promise<string> {
  authorize(visitor, "account.confirm_email");
  const found = await confirmationOfToken(ctx, token);
  const { account, confirmation } = found;
  if (confirmation.byOwner && signedIn !== account.id) {
    const name = plainWords(account.username);
    const sentence = `This address was entered for the account ${name}. If that's you, sign in as ${name} and open the link again.`;
    throw new Refusal("confirm_elsewhere", { sentence });
  }
  return confirmAddress(ctx, found, browser);
}

/**
 * "This isn't me": ends the request that the link belongs to, and removes an unconfirmed address from its account. Refuses
 * with `confirmation_invalid`.
 */
export async function declineEmail(ctx: Ctx, token: string): Promise<void> {
  authorize(visitor, "account.confirm_email");
  const { account, confirmation } = await confirmationOfToken(ctx, token);
  await commit(ctx.store, [
    ...usedUp(ctx, confirmation),
    ctx.store.db
      .update(accounts)
      .set({ email: null, emailKey: null })
      .where(
        and(
          eq(accounts.id, account.id),
          eq(accounts.email, confirmation.email),
          isNull(accounts.emailConfirmedAt),
        ),
      ),
  ]);
}

/**
 * Confirms with the six-digit code, in any session of the account. Counts each try before comparing; three wrong ones end
 * the code. Refuses with `confirmation_invalid`.
 */
export async function confirmByCode(
  ctx: Ctx,
  limits: LimitTable,
  requester: Requester,
  typed: string,
): Promise<string> {
  authorize(requester, "account.change_email");
  const { account, browser } = requester;
  const asked = await confirmationOf(ctx, account.id);
  await spendAll(ctx, [
    { limit: limits["email-code"], who: account.id },
    ...(asked ? [{ limit: limits["email-code"], who: addressKey(asked.email) }] : []),
  ]);
  const [confirmation] = await ctx.store.db
    .update(emailConfirmations)
    .set({ tries: sql`${emailConfirmations.tries} + 1` })
    .where(and(eq(emailConfirmations.accountId, account.id), lt(emailConfirmations.tries, mostTries)))
    .returning();
  const isRight =
    confirmation !== undefined &&
    confirmation.expiresAt > ctx.now() &&
    sameSecret(confirmationCodeOf(ctx, confirmation), typedCode(typed));
  if (!isRight) throw new Refusal("confirmation_invalid", { field: "code" });
  return confirmAddress(ctx, { account, confirmation }, browser);
}

type FoundConfirmation = { account: Account; confirmation: typeof emailConfirmations.$inferSelect };

async function confirmAddress(
  ctx: Ctx,
  { account, confirmation }: FoundConfirmation,
  browser: Browser,
): Promise<string> {
  const { email, endsFormer } = confirmation;
  const first = usedUp(ctx, confirmation);
  if (email !== account.email) {
    await expectNewEmail(ctx, account, email);
    await applyEmail(ctx, account, { email, browser, confirmedAt: ctx.now(), first, endsFormer });
    return email;
  }
  await commitEmail(ctx, [...first, ...confirmEmailWrites(ctx, { accountId: account.id, email, browser })]);
  return email;
}

async function confirmationOfToken(ctx: Ctx, token: string): Promise<FoundConfirmation> {
  const id = rowOfToken(ctx, "confirm", token);
  const found = id === null ? null : await confirmationToSend(ctx, id);
  if (!found) throw new Refusal("confirmation_invalid", { field: "token" });
  return found;
}

const usedUp = ({ store: { db } }: Ctx, { id }: Pick<FoundConfirmation["confirmation"], "id">): Write[] => [
  db.delete(emailConfirmations).where(eq(emailConfirmations.id, id)),
  mustHaveChanged("confirmation_invalid"),
];
