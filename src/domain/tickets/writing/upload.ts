import { and, eq, inArray, lt } from "drizzle-orm";
import { oneLine } from "@/contract/vocabulary/plain-words";
import { minute } from "@/contract/vocabulary/time";
import { customer, type DeskStaff } from "@/core/base/actor";
import { commit, commitIfFirst, mustHaveChanged, type Write } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { authorize } from "../../permissions";
import type { BuildStore } from "../../releases/store";
import { ticketFiles, ticketMessages, tickets } from "../../schema/tickets";
import { contentAddressOf, fitsQuotas, maxBytes, notBeingRemoved, removeBytes, removeFiles } from "./files";
import { pictureType } from "../reading/picture-type";
import { isOpen, type Ticket } from "../reading/queries";
import { requestSync } from "../reading/thread";
import { answerWrites, commitMessage, messageWrite, waitsForOther } from "./write";

type Upload = {
  account: { id: string; username: string };
  /** Sent by this member of staff, and not by the ticket's customer. */
  staff?: DeskStaff;
  name: string;
  bytes: Uint8Array;
};

/**
 * Stores a file that a customer sends in their own ticket on the site, or staff at the desk, as a message of its own.
 * Refuses with `ticket_closed`, `ticket_files_full`, and `unavailable` without room on the disk.
 */
export async function uploadFile(
  { ctx, files }: { ctx: Ctx; files: BuildStore },
  ticket: Ticket,
  { account, staff, name, bytes }: Upload,
): Promise<void> {
  authorize(staff ?? customer(account.id), staff ? "ticket.answer" : "ticket.write");
  if (bytes.length === 0)
    throw new Refusal("invalid_field", { field: "file", sentence: "That file is empty." });
  if (ticket.state === "closed") throw new Refusal("ticket_closed");
  if (!(await files.hasSpace(maxBytes))) throw new Refusal("unavailable");
  const address = contentAddressOf(bytes);
  const [id, messageId] = [newId(), newId()];
  const { discordUserId } = ticket;
  const authors = staff || discordUserId === null ? [account.id] : [account.id, discordUserId];
  const file = { id, messageId, ticketId: ticket.id, name: fileName(name), size: bytes.length };
  const author = staff ? ("staff" as const) : ("member" as const);
  const message = { id: messageId, author, authorId: account.id, name: account.username };
  await commitMessage(ctx, ticket, [
    // waits for whom it did until the file is kept: an upload that fails has said nothing
    ctx.store.db
      .update(tickets)
      .set({ state: "open" })
      .where(and(eq(tickets.id, ticket.id), isOpen)),
    mustHaveChanged("ticket_closed"),
    messageWrite(ctx, ticket.id, { ...message, text: "" }),
    ...claimWrites(ctx, file, { address, fits: fitsQuotas(ctx, { ...file, authors, at: ctx.now() }) }),
  ]);
  // claimed first, so that nobody removes the same bytes meanwhile
  await files.keep(address, new Blob([Buffer.from(bytes)])).catch(async (error: unknown) => {
    await discard(ctx, [messageId]);
    throw new Refusal("unavailable", {}, { cause: error });
  });
  const type = pictureType(bytes) ?? "application/octet-stream";
  const isKept = await commitIfFirst(ctx.store, [
    ctx.store.db.update(ticketFiles).set({ state: "kept", type }).where(eq(ticketFiles.id, id)),
    mustHaveChanged("conflict"),
    waitsForOther(ctx, ticket.id, author),
    ...(staff ? answerWrites(ctx, ticket) : []),
    requestSync(ctx, ticket.id),
  ]);
  // the ticket was erased meanwhile, perhaps before these bytes existed
  if (!isKept) await commit(ctx.store, [removeBytes(ctx, address)]);
}

type Claim = { address: string; fits: ReturnType<typeof fitsQuotas> };

function claimWrites(
  ctx: Ctx,
  file: Omit<typeof ticketFiles.$inferInsert, "url">,
  { address, fits }: Claim,
): Write[] {
  const { db } = ctx.store;
  const own = eq(ticketFiles.id, file.id);
  return [
    db.insert(ticketFiles).values({ ...file, url: "", state: "waiting" }),
    db
      .update(ticketFiles)
      .set({ address })
      .where(and(own, notBeingRemoved(ctx, address))),
    mustHaveChanged("busy"),
    db.update(ticketFiles).set({ state: "copying" }).where(and(own, fits)),
    mustHaveChanged("ticket_files_full"),
  ];
}

const mostOfAName = 120;

/** A name without a path, as one line. */
function fileName(typed: string): string {
  const name = oneLine(typed.toWellFormed()).replace(/[/\\:*?"<>|]/g, "_");
  if (name.length <= mostOfAName) return name || "file";
  const [ending = ""] = /\.[\w-]{1,10}$/.exec(name) ?? [];
  return name.slice(0, mostOfAName - ending.length).toWellFormed() + ending;
}

/** An upload takes seconds; one that is this old was cut off by a kill. */
const unfinishedFor = 10 * minute;

/** Deletes the messages of uploads that never ended. */
export async function forgetUnfinishedUploads(ctx: Ctx): Promise<void> {
  const before = new Date(ctx.now().getTime() - unfinishedFor);
  const cutOff = await ctx.store.db
    .select({ id: ticketMessages.id })
    .from(ticketFiles)
    .innerJoin(ticketMessages, eq(ticketMessages.id, ticketFiles.messageId))
    .where(
      and(
        inArray(ticketFiles.state, ["waiting", "copying"]),
        eq(ticketFiles.url, ""),
        lt(ticketMessages.at, before),
      ),
    )
    .limit(100);
  if (cutOff.length > 0)
    await discard(
      ctx,
      cutOff.map(({ id }) => id),
    );
}

const discard = (ctx: Ctx, messageIds: string[]): Promise<void> =>
  commit(ctx.store, [
    removeFiles(ctx, inArray(ticketFiles.messageId, messageIds)),
    ctx.store.db.delete(ticketMessages).where(inArray(ticketMessages.id, messageIds)),
  ]);
