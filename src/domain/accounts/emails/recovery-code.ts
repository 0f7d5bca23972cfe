import { eq } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import { nothing } from "@/core/outbox-topics";
import { largeCode, heading, paragraph, quiet } from "../../mail/blocks";
import type { Email } from "../../mail/email";
import { emailTemplate } from "../../mail/template";
import { accounts, recoveries } from "../../schema/accounts";
import { addressHashes, openCode, recoveryMinutes } from "../sealed-code";
import { logRoutine } from "../security-log";

/** The code for recovering an account; the subject is the recovery's id. */
export const recoveryCodeEmail = emailTemplate({
  name: "mail.recovery-code",
  // urgent, because somebody waits for the code on the page
  lane: "urgent",
  priority: true,
  payload: nothing,
  dropWhenOff: true,
  async prepare(ctx, { subject }) {
    const found = await codeToSend(ctx, subject);
    if (!found) return null;
    const { account, code } = found;
    return {
      to: account.email,
      id: `recovery.${subject}`,
      email: writeRecoveryCode({ code, minutes: recoveryMinutes }),
      about: { subject: account.id, accountId: account.id },
      delivered: () => logRoutine(ctx, { code: "recovery.sent", accountId: account.id }),
    };
  },
});

/** The code and its recipient, or null if nobody has the address. */
async function codeToSend(ctx: Ctx, id: string) {
  const [found] = await ctx.store.db
    .select({ recovery: recoveries, account: { id: accounts.id, email: accounts.email } })
    .from(recoveries)
    .innerJoin(accounts, eq(accounts.id, recoveries.accountId))
    .where(eq(recoveries.id, id));
  if (!found || found.recovery.expiresAt <= ctx.now()) return null;
  // the address may belong to another account by now
  if (!addressHashes(ctx, found.account.email).includes(found.recovery.addressHash)) return null;
  return { account: found.account, code: openCode(ctx, found.recovery) };
}

export function writeRecoveryCode({ code, minutes }: { code: string; minutes: number }): Email {
  const lasts = `It works once, for ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`;
  return {
    kind: "recovery-code",
    connections: "urgent",
    subject: "Your verification code",
    preheader: lasts,
    blocks: [
      heading("Your verification code"),
      paragraph(
        "Someone, hopefully you, asked to reset the password of your account. Enter this code in the browser that asked:",
      ),
      largeCode(code),
      paragraph(lasts),
      quiet(
        "If it was not you, ignore this email: nothing changes without the code. Do not give the code to anyone; we will never ask for it.",
      ),
    ],
    why: "You get this email because somebody asked to reset the password of the account with this address.",
  };
}
