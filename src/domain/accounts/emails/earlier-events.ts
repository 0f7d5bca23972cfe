import { eq } from "drizzle-orm";
import { utcTime } from "@/contract/vocabulary/dates";
import { securityNotices } from "@/contract/vocabulary/security-events";
import type { Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { enqueue } from "@/core/jobs/outbox";
import { noPayload } from "@/core/database/topic";
import { button, type Fact, facts, heading, paragraph, quiet } from "../../mail/blocks";
import type { Email } from "../../mail/email";
import { emailTemplate } from "../../mail/template";
import { accounts } from "../../schema/accounts";
import { provenEmail } from "../sessions/account";
import { securityLogOf } from "../sessions/security-log";

/** All but the requests to confirm this mailbox. */
const listedCodes = Object.keys(securityNotices).filter((code) => code !== "email.change_asked");

const mostListed = 20;

/**
 * The writes that enqueue the list of earlier events, for the commit that first confirms an address. They come before the
 * writes that log what that commit does.
 */
export const earlierEventsWrites = (ctx: Ctx, accountId: string): Write[] => [
  enqueue(ctx, { topic: earlierEventsEmail, subject: accountId }),
];

/** What happened to an account before its mailbox was confirmed; the subject is the account's id. */
export const earlierEventsEmail = emailTemplate({
  name: "mail.earlier-events",
  payload: noPayload,
  dropWhenOff: true,
  async prepare(ctx, { subject, createdAt }, { publicUrl }) {
    const [account] = await ctx.store.db.select().from(accounts).where(eq(accounts.id, subject));
    if (!account) return null;
    const log = await securityLogOf(ctx, subject, { after: null, most: mostListed, codes: listedCodes });
    const events = log.filter(({ at }) => at < createdAt);
    if (events.length === 0) return null;
    return {
      to: provenEmail(account),
      id: `earlier-events.${subject}`,
      email: writeEarlierEvents({
        events,
        sessionsUrl: new URL("/dashboard/settings#security", publicUrl).href,
      }),
      about: { subject, accountId: subject },
    };
  },
});

type Content = { events: { at: Date; text: string; device: string | null }[]; sessionsUrl: string };

export const writeEarlierEvents = ({ events, sessionsUrl }: Content): Email => ({
  kind: "earlier-events",
  subject: "What happened before you confirmed your address",
  preheader: "We don't send security notices to an address that isn't confirmed.",
  blocks: [
    heading("What happened before you confirmed your address"),
    paragraph(
      "We don't send security notices to an address that isn't confirmed. Here's what happened before you confirmed yours:",
    ),
    facts(
      ...events.map(({ at, text, device }): Fact => [
        utcTime(at),
        device === null ? text : `${text}, ${device}`,
      ]),
    ),
    button("Check your sessions", sessionsUrl),
    quiet("If any of this wasn't you, change your password. That signs out every other session."),
  ],
  why: "You're receiving this because you confirmed the address of your account.",
});
