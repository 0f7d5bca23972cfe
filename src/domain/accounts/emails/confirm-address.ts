import { and, eq, gt } from "drizzle-orm";
import { hour } from "@/contract/time";
import type { Ctx } from "@/core/context";
import { nothing } from "@/core/outbox-topics";
import { button, heading, paragraph, quiet } from "../../mail/blocks";
import type { Email } from "../../mail/email";
import { plainWords } from "../../mail/format";
import { emailTemplate } from "../../mail/template";
import { accounts, emailConfirmations } from "../../schema/accounts";
import { linkToken, linkUrl } from "../link-token";

export const confirmationHours = 72;
/** When a link that is mailed now ends. */
export const confirmationEnd = (ctx: Ctx) => new Date(ctx.now().getTime() + confirmationHours * hour);

/**
 * Asks the recipient to confirm that support may use the address for an account; the subject is the confirmation's id.
 */
export const confirmAddressEmail = emailTemplate({
  name: "mail.confirm-email",
  priority: true,
  payload: nothing,
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

/** A confirmation, its account and the token of its link; null once it is used, replaced or expired. */
export async function confirmationToSend(ctx: Ctx, id: string) {
  const [found] = await ctx.store.db
    .select({ confirmation: emailConfirmations, account: accounts })
    .from(emailConfirmations)
    .innerJoin(accounts, eq(accounts.id, emailConfirmations.accountId))
    .where(and(eq(emailConfirmations.id, id), gt(emailConfirmations.expiresAt, ctx.now())));
  return found ? { ...found, token: linkToken(ctx, "confirm", id) } : null;
}

type Content = { username: string; confirmUrl: string; hours: number };

export const writeConfirmAddress = ({ username, confirmUrl, hours }: Content): Email => ({
  kind: "confirm-email",
  subject: "Confirm your new email address",
  preheader: "Your account gets this address once you confirm it.",
  blocks: [
    heading("Confirm your new email address"),
    paragraph(
      `Our support was asked to use this address for the account ${username}. Nothing changes before you confirm it.`,
    ),
    button("Confirm this address", confirmUrl),
    paragraph(`The link works once, for ${hours} hours.`),
    quiet("If you did not ask for this, you don't need to do anything."),
  ],
  why: "You get this email because somebody asked our support to use this address.",
});
