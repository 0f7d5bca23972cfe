import { eq, type SQL, sql } from "drizzle-orm";
import { maxOpenTickets } from "@/contract/vocabulary/bounds";
import { customer, member } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, type Write } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { failpoint } from "@/core/log/failpoints";
import { Refusal } from "@/core/base/refusal";
import { linkOfUser } from "../../discord/links";
import { authorize } from "../../permissions";
import { links } from "../../schema/discord";
import { tickets } from "../../schema/tickets";
import { nextNumber } from "../reading/numbers";
import type { Ticket } from "../reading/queries";
import { requestSync } from "../reading/thread";
import { isTopic } from "../reading/topics";
import { mustNotExceedOpenTickets, type Owner } from "./change";
import { siteMessageWrites } from "./write";

export type TicketInput = { topic: string; member: { id: string; name: string }; question: string };

/**
 * Opens a ticket in Discord; the outbox makes its thread and its staff card. Refuses with `ticket_open` while the
 * member has as many open tickets as they may.
 */
export async function openTicket(ctx: Ctx, { topic, member: asker, question }: TicketInput): Promise<string> {
  const actor = member(asker.id);
  authorize(actor, "ticket.open");
  const accountId = (await linkOfUser(ctx, asker.id))?.accountId ?? null;
  const id = newId();
  const owner = { accountId, discordUserId: asker.id };
  await commit(ctx.store, [
    ...openingWrites(ctx, { id, via: "discord", topic, question, memberName: asker.name, ...owner }),
    record(ctx, { actor, action: "ticket.opened", subject: id, accountId }),
  ]);
  failpoint("ticket.stored");
  return id;
}

type SiteTicketInput = {
  account: { id: string; username: string };
  topic: string;
  question: string;
  /** The id of its first message. */
  messageId?: string;
};

/**
 * Opens a ticket on the site, with the question as its first message; resolves to its id. The account's Discord user,
 * if any, becomes the member of the thread. Refuses with `invalid_field` for an unknown topic, and as
 * {@link openTicket}.
 */
export async function askOnSite(
  ctx: Ctx,
  { account, topic, question, messageId = newId() }: SiteTicketInput,
): Promise<string> {
  const actor = customer(account.id);
  authorize(actor, "ticket.open");
  if (!isTopic(topic)) throw new Refusal("invalid_field", { field: "topic" });
  const id = newId();
  // read within the commit: a link made meanwhile finds the ticket, or is found by it
  const owner = { accountId: account.id, discordUserId: linkedUser(ctx, account.id) };
  await commit(ctx.store, [
    ...openingWrites(ctx, { id, via: "site", topic, question, memberName: account.username, ...owner }),
    ...siteMessageWrites(ctx, id, {
      id: messageId,
      author: "member",
      authorId: account.id,
      name: account.username,
      text: question,
    }),
    record(ctx, { actor, action: "ticket.opened", subject: id, accountId: account.id }),
  ]);
  failpoint("ticket.stored");
  return id;
}

const linkedUser = ({ store: { db } }: Ctx, accountId: string): SQL =>
  sql`(${db.select({ id: links.discordUserId }).from(links).where(eq(links.accountId, accountId))})`;

type OpenedTicket = Pick<Ticket, "id" | "via" | "topic" | "question" | "memberName"> & Owner;

function openingWrites(ctx: Ctx, opened: OpenedTicket): Write[] {
  const now = ctx.now();
  return [
    mustNotExceedOpenTickets(ctx, opened, maxOpenTickets - 1),
    ctx.store.db.insert(tickets).values({
      ...opened,
      number: nextNumber,
      memberName: opened.memberName.slice(0, 100).toWellFormed(),
      openedAt: now,
      waitingSince: now,
      viewedAt: opened.via === "site" ? now : null,
    }),
    requestSync(ctx, opened.id),
  ];
}
