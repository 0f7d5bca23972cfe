import { eq } from "drizzle-orm";
import { hour } from "@/contract/time";
import type { Ctx } from "@/core/context";
import { nothing } from "@/core/outbox-topics";
import { button, largeCode, heading, paragraph, quiet } from "../../mail/blocks";
import type { Email } from "../../mail/email";
import { emailTemplate } from "../../mail/template";
import { accounts, recoveries } from "../../schema/accounts";
import { formerEmailsOf } from "../former-emails";
import { linkToken, linkUrl } from "../link-token";
import {
  addressHashes,
  codeEnd,
  freshCode,
  openCode,
  recoveryLinkMinutes,
  recoveryMinutes,
} from "../sealed-code";
import { logRoutine } from "../security-log";

/** The code for recovering an account; the subject is the recovery's id. */
export const recoveryCodeEmail = emailTemplate({
  name: "mail.recovery-code",
  // urgent, because somebody waits for the code on the page
  lane: "urgent",
  priority: true,
  payload: nothing,
  dropWhenOff: true,
  async prepare(ctx, { subject, createdAt }, { publicUrl }) {
    const found = await codeToSend(ctx, subject, createdAt);
    if (!found) return null;
    const { to, account, code } = found;
    return {
      to,
      id: `recovery.${subject}`,
      email: writeRecoveryCode({
        code,
        minutes: recoveryMinutes,
        url: linkUrl(publicUrl, "/forgot-pass", linkToken(ctx, "recover", subject)),
        linkMinutes: recoveryLinkMinutes,
      }),
      about: { subject: account.id, accountId: account.id },
      delivered: () => [
        // its time runs from now, however long it waited
        ctx.store.db
          .update(recoveries)
          .set({ expiresAt: codeEnd(ctx) })
          .where(eq(recoveries.id, subject)),
        ...logRoutine(ctx, { code: "recovery.sent", accountId: account.id }),
      ],
    };
  },
});

/** A code that waited longer for the mail server is made anew. */
const oldest = hour;

/** The code and its recipient, or null if nobody has the address. */
async function codeToSend(ctx: Ctx, id: string, askedAt: Date) {
  const [found] = await ctx.store.db
    .select({ recovery: recoveries, account: { id: accounts.id, email: accounts.email } })
    .from(recoveries)
    .innerJoin(accounts, eq(accounts.id, recoveries.accountId))
    .where(eq(recoveries.id, id));
  if (!found) return null;
  const { account, recovery } = found;
  // the address may belong to another account by now
  const known = [account.email, ...(await formerEmailsOf(ctx, account.id)).map(({ email }) => email)];
  const to = known.find((email) => addressHashes(ctx, email).includes(recovery.addressHash));
  if (to === undefined) return null;
  if (ctx.now().getTime() - askedAt.getTime() <= oldest)
    return { to, account, code: openCode(ctx, recovery) };
  const fresh = freshCode(ctx, id);
  await ctx.store.db.update(recoveries).set(fresh).where(eq(recoveries.id, id));
  return { to, account, code: openCode(ctx, { id, ...fresh }) };
}

const lasts = (many: number) => `${many} ${many === 1 ? "minute" : "minutes"}`;

type Content = { code: string; minutes: number; url: string; linkMinutes: number };

export function writeRecoveryCode({ code, minutes, url, linkMinutes }: Content): Email {
  return {
    kind: "recovery-code",
    connections: "urgent",
    subject: "Your verification code",
    preheader: `It works once, for ${lasts(minutes)}.`,
    blocks: [
      heading("Your verification code"),
      paragraph(
        "Someone, hopefully you, asked to reset the password of your account. Enter this code in the browser that asked:",
      ),
      largeCode(code),
      paragraph(
        `It works once, for ${lasts(minutes)}. In any other browser, open this link within ${lasts(linkMinutes)}:`,
      ),
      button("Choose a new password", url),
      quiet(
        "If it was not you, ignore this email: nothing changes without the code or the link. Do not give them to anyone; we will never ask for them.",
      ),
    ],
    why: "You get this email because somebody asked to reset the password of the account with this address.",
  };
}
