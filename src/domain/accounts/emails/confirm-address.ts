import { and, eq, gt } from "drizzle-orm";
import { addressKey } from "@/contract/vocabulary/addresses";
import { hour } from "@/contract/vocabulary/time";
import type { Write } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import type { LimitTable } from "@/contract/vocabulary/limits";
import { trySpend, spend } from "@/core/limits/limits";
import { enqueue } from "@/core/jobs/outbox";
import { noPayload } from "@/core/database/topic";
import { button, heading, largeCode, paragraph, quiet } from "../../mail/blocks";
import type { Email } from "../../mail/email";
import { plainWords } from "../../mail/format";
import { emailTemplate } from "../../mail/template";
import { accounts, emailConfirmations } from "../../schema/accounts";
import { linkToken, linkUrl } from "../sessions/link-token";
import { sealedDigits } from "../recovery/sealed-code";

export const confirmationHours = 24;
/** When a link mailed now expires. */
const confirmationEnd = (ctx: Ctx) => new Date(ctx.now().getTime() + confirmationHours * hour);

type Confirmation = typeof emailConfirmations.$inferSelect;

/** Binds a sealed code to its row. */
export const confirmationContext = (id: string) => `confirmation:${id}`;

export const confirmationCodeOf = (
  ctx: Ctx,
  { id, codeSealed }: Pick<Confirmation, "id" | "codeSealed">,
): string => ctx.secrets.open(codeSealed, confirmationContext(id));

/** The writes that mail a link and code to an address, and replace the account's earlier ones. */
export function confirmationWrites(
  ctx: Ctx,
  wanted: Pick<Confirmation, "accountId" | "email" | "byOwner"> & { endsFormer?: boolean },
): Write[] {
  const { db } = ctx.store;
  const id = newId();
  const codeSealed = sealedDigits(ctx, confirmationContext(id));
  return [
    db.delete(emailConfirmations).where(eq(emailConfirmations.accountId, wanted.accountId)),
    db.insert(emailConfirmations).values({ id, ...wanted, codeSealed, expiresAt: confirmationEnd(ctx) }),
    enqueue(ctx, { topic: confirmAddressEmail, subject: id }),
  ];
}

/**
 * Counts a mail that asks a mailbox to confirm an address for an account; refuses with `rate_limited` beyond the first of
 * each account and the mailbox's three others in a day.
 */
export async function spendOnMailbox(
  ctx: Ctx,
  limits: LimitTable,
  { accountId, email }: Pick<Confirmation, "accountId" | "email">,
): Promise<void> {
  const mailbox = addressKey(email);
  if (await trySpend(ctx, limits["confirm-first"], `${accountId} ${mailbox}`)) return;
  await spend(ctx, limits["email-mailbox"], mailbox);
}

/** Asks the recipient to confirm an address for an account; the subject is the confirmation's id. */
export const confirmAddressEmail = emailTemplate({
  name: "mail.confirm-email",
  priority: true,
  payload: noPayload,
  dropWhenOff: true,
  async prepare(ctx, { subject }, { publicUrl }) {
    const found = await confirmationToSend(ctx, subject);
    if (!found) return null;
    const { account, confirmation, token } = found;
    return {
      to: confirmation.email,
      id: `confirm.${subject}`,
      email: writeConfirmAddress({
        username: plainWords(account.username),
        confirmUrl: linkUrl(publicUrl, "/confirm-email", token),
        code: confirmation.byOwner ? confirmationCodeOf(ctx, confirmation) : null,
        isNew: confirmation.email !== account.email,
        hours: confirmationHours,
      }),
      about: { subject: account.id, accountId: account.id },
      delivered: () => [
        ctx.store.db
          .update(emailConfirmations)
          .set({ expiresAt: confirmationEnd(ctx) })
          .where(eq(emailConfirmations.id, subject)),
      ],
    };
  },
});

const isOpen = (ctx: Ctx) => gt(emailConfirmations.expiresAt, ctx.now());

/** A confirmation, its account and the token of its link; null once it is used, replaced or expired. */
export async function confirmationToSend(ctx: Ctx, id: string) {
  const [found] = await ctx.store.db
    .select({ confirmation: emailConfirmations, account: accounts })
    .from(emailConfirmations)
    .innerJoin(accounts, eq(accounts.id, emailConfirmations.accountId))
    .where(and(eq(emailConfirmations.id, id), isOpen(ctx)));
  return found ? { ...found, token: linkToken(ctx, "confirm", id) } : null;
}

/** The confirmation that an account waits for. */
export async function confirmationOf(ctx: Ctx, accountId: string): Promise<Confirmation | null> {
  const [found] = await ctx.store.db
    .select()
    .from(emailConfirmations)
    .where(and(eq(emailConfirmations.accountId, accountId), isOpen(ctx)));
  return found ?? null;
}

/**
 * `code`: null where support entered the address, since its owner may have no session to type it in. `isNew`: the account
 * changes to it.
 */
type Content = { username: string; confirmUrl: string; code: string | null; isNew: boolean; hours: number };

const inBrowser = "in a browser where you're signed in to that account";

function introduction({ username, code, isNew }: Content): string {
  if (code === null)
    return `Our support team was asked to use this address for the account ${username}. Nothing changes until you confirm it.`;
  return isNew
    ? `This address was entered for the account ${username}. Nothing changes until you confirm it ${inBrowser}.`
    : `The account ${username} was registered with this address. Confirm that it's yours ${inBrowser}. You can then use it to get the account back if you lose access.`;
}

export const writeConfirmAddress = (content: Content): Email => ({
  kind: "confirm-email",
  subject: "Confirm your email address",
  preheader: content.isNew
    ? "Your account uses this address once you confirm it."
    : "A confirmed address gets your account back if you lose access.",
  blocks: [
    heading("Confirm your email address"),
    paragraph(introduction(content)),
    button("Confirm this address", content.confirmUrl),
    ...(content.code === null
      ? []
      : [paragraph("Or enter these digits on your account page:"), largeCode(content.code)]),
    paragraph(`${content.code === null ? "The link works" : "Both work"} once, for ${content.hours} hours.`),
    quiet("If you didn't ask for this, don't confirm it. The page has a button that ends the request."),
  ],
  why: "You're receiving this because someone entered this address for an account.",
});
