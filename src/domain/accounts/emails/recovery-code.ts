import { eq } from "drizzle-orm";
import { addressKey } from "@/contract/vocabulary/addresses";
import { hour } from "@/contract/vocabulary/time";
import type { Ctx } from "@/core/database/context";
import { trySpend } from "@/core/limits/limits";
import { noPayload } from "@/core/database/topic";
import { button, largeCode, heading, link, paragraph, quiet } from "../../mail/blocks";
import type { Email } from "../../mail/email";
import { plainWords } from "../../mail/format";
import { emailTemplate } from "../../mail/template";
import { accounts, recoveries } from "../../schema/accounts";
import type { Account } from "../sessions/account";
import { linkUrl } from "../sessions/link-token";
import { accountsOfMailbox, recoveryAddresses } from "../recovery/recoverable";
import {
  addressHashes,
  codeExpiry,
  newCodeColumns,
  unsealCode,
  recoveryLinkHours,
  recoveryMinutes,
} from "../recovery/sealed-code";
import { recoveryToken } from "../recovery/recovery-token";
import { logRoutine } from "../sessions/security-log";

/** The code for recovering an account; the subject is the recovery's id. */
export const recoveryCodeEmail = emailTemplate({
  name: "mail.recovery-code",
  // urgent, because somebody waits for the code on the page
  lane: "urgent",
  priority: true,
  payload: noPayload,
  dropWhenOff: true,
  async prepare(ctx, { subject, createdAt, attempts }, { publicUrl, limits }) {
    const found = await codeToSend(ctx, subject, createdAt);
    if (!found) return null;
    const { to, account, code } = found;
    const counted = [addressKey(to), ...found.offered.map(({ id }) => id)].join(" ");
    const isCounted = attempts === 0 && account.emailConfirmedAt === null;
    if (isCounted && !(await trySpend(ctx, limits["recovery-unproven"], counted))) return null;
    const linksFor = (several: Account[]) =>
      several.map((one) => ({
        username: plainWords(one.username),
        url: linkUrl(publicUrl, "/forgot-pass", recoveryToken(ctx, subject, one)),
      }));
    return {
      to,
      id: `recovery.${subject}`,
      email: writeRecoveryCode({
        code,
        minutes: recoveryMinutes,
        links: linksFor(found.offered),
        hours: recoveryLinkHours(account),
        others: linksFor(found.others),
      }),
      about: { subject: account.id, accountId: account.id },
      delivered: () => [
        // its time runs from now, however long it waited
        ctx.store.db
          .update(recoveries)
          .set({ expiresAt: codeExpiry(ctx) })
          .where(eq(recoveries.id, subject)),
        ...logRoutine(ctx, { code: "recovery.sent", accountId: account.id }),
      ],
    };
  },
});

/** A code that waited longer for the mail server is replaced by a new one. */
const oldest = hour;

/** The code and its recipient, or null if nobody has the address. */
async function codeToSend(ctx: Ctx, id: string, askedAt: Date) {
  const [found] = await ctx.store.db
    .select({ recovery: recoveries, account: accounts })
    .from(recoveries)
    .innerJoin(accounts, eq(accounts.id, recoveries.accountId))
    .where(eq(recoveries.id, id));
  if (!found) return null;
  const { account, recovery } = found;
  // the address may belong to another account by now
  const known = await recoveryAddresses(ctx, account, recovery.askedAt);
  const at = known.find(({ email }) => addressHashes(ctx, email).includes(recovery.addressHash));
  if (at === undefined) return null;
  const unproven = at.former ? [] : await accountsOfMailbox(ctx, at.email);
  const isProven = account.emailConfirmedAt !== null;
  const offered = isProven || unproven.length < 2 ? [account] : unproven;
  const mail = { to: at.email, account, offered, others: isProven ? unproven : [] };
  if (ctx.now().getTime() - askedAt.getTime() <= oldest) return { ...mail, code: unsealCode(ctx, recovery) };
  const fresh = newCodeColumns(ctx, id);
  await ctx.store.db.update(recoveries).set(fresh).where(eq(recoveries.id, id));
  return { ...mail, code: unsealCode(ctx, { id, ...fresh }) };
}

const minutesInWords = (many: number) => `${many} ${many === 1 ? "minute" : "minutes"}`;

type Link = { username: string; url: string };

/**
 * `links`: one for each account that the mailbox recovers; the digits are for one alone. `hours`: how long the links work.
 * `others`: accounts whose key was mailed to an address that another account has confirmed.
 */
type Content = { code: string; minutes: number; links: Link[]; hours: number; others: Link[] };

export function writeRecoveryCode({ code, minutes, links, hours, others }: Content): Email {
  const lasting = `${hours} ${hours === 1 ? "hour" : "hours"}`;
  const [only] = links.length === 1 ? links : [];
  const asked = "Someone, hopefully you, asked to reset the password of your account.";
  return {
    kind: "recovery-code",
    connections: "urgent",
    subject: "Your verification code",
    preheader: only
      ? `It works once, for ${minutesInWords(minutes)}.`
      : `Each link works once, for ${lasting}.`,
    blocks: only
      ? [
          heading("Your verification code"),
          paragraph(`${asked} Enter this code in the browser that asked:`),
          largeCode(code),
          paragraph(
            `It works once, for ${minutesInWords(minutes)}. In any other browser, open this link within ${lasting}:`,
          ),
          button("Choose a new password", only.url),
          ...(others.length > 0 ? [paragraph(keyed), ...others.map(linkFor)] : []),
          quiet(ignored),
        ]
      : [
          heading("Choose your account"),
          paragraph(`${asked} Several accounts use this address. Open the link for yours within ${lasting}:`),
          ...links.map(linkFor),
          quiet(ignored),
        ],
    why: "You're receiving this because someone asked to reset the password of the account with this address.",
  };
}

const linkFor = ({ username, url }: Link) => link(`Choose a new password for ${username}`, url);

const keyed =
  "Other accounts were registered with license keys that we sent to this address, and have no confirmed address of their own. If one is yours, open its link within 24 hours:";

const ignored =
  "If this wasn't you, ignore this email. Nothing changes without the code or the link. Don't share them with anyone; we'll never ask for them.";
