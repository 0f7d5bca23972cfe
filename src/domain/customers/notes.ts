import { and, desc, eq } from "drizzle-orm";
import type { Actor } from "@/core/base/actor";
import { actorColumns, record } from "@/core/database/audit";
import { commit, mustHaveChanged } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { olderThan, type Place } from "@/core/database/pages";
import { Refusal } from "@/core/base/refusal";
import { authorize } from "../permissions";
import { accounts } from "../schema/accounts";
import { type CustomerNote, customerNotes } from "../schema/notes";

/** Adds a note about a customer, which all staff read. Refuses with `not_found`. */
export async function addNote(
  ctx: Ctx,
  actor: Actor,
  { accountId, text }: { accountId: string; text: string },
): Promise<CustomerNote> {
  authorize(actor, "customer.note");
  const { db } = ctx.store;
  const account = eq(accounts.id, accountId);
  const [held] = await db.select({ id: accounts.id }).from(accounts).where(account);
  if (!held) throw new Refusal("not_found", { sentence: "There is no such customer." });
  const note = { id: newId(), accountId, at: ctx.now(), text, ...actorColumns(actor) };
  await commit(ctx.store, [
    // an account that is erased meanwhile takes no note
    db.update(accounts).set({ id: accountId }).where(account),
    mustHaveChanged("not_found"),
    db.insert(customerNotes).values(note),
    record(ctx, { actor, action: "account.noted", subject: accountId, accountId }),
  ]);
  return note;
}

/** A page of the notes about a customer, newest first. */
export const notesOf = (
  { store: { db } }: Ctx,
  accountId: string,
  { after, most }: { after: Place | null; most: number },
): Promise<CustomerNote[]> =>
  db
    .select()
    .from(customerNotes)
    .where(and(eq(customerNotes.accountId, accountId), olderThan(after, customerNotes.at, customerNotes.id)))
    .orderBy(desc(customerNotes.at), desc(customerNotes.id))
    .limit(most);
