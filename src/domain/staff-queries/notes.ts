import type { NoteRow } from "@/contract/wire/desk/details";
import type { Actor } from "@/core/base/actor";
import { loggedActor } from "@/core/database/audit";
import type { Ctx } from "@/core/database/context";
import { pageRows } from "@/core/database/pages";
import { addNote, notesOf } from "../customers/notes";
import type { CustomerNote } from "../schema/notes";
import { namedActor, type ActorNames, namesOf } from "./actors";

/** Adds a note about a customer. Refuses with `not_found`. */
export async function noteOnDesk(
  ctx: Ctx,
  actor: Actor,
  { customer, text }: { customer: string; text: string },
): Promise<NoteRow> {
  const note = await addNote(ctx, actor, { accountId: customer, text });
  return noteRow(note, await namesOf(ctx, [note.actor]));
}

/** The newest notes about a customer. */
export async function notesAbout(ctx: Ctx, accountId: string): Promise<NoteRow[]> {
  const notes = await notesOf(ctx, accountId, { after: null, most: pageRows });
  const names = await namesOf(
    ctx,
    notes.map(({ actor }) => actor),
  );
  return notes.map((note) => noteRow(note, names));
}

const noteRow = (note: CustomerNote, names: ActorNames): NoteRow => ({
  id: note.id,
  at: note.at.toISOString(),
  by: namedActor(loggedActor(note), names),
  text: note.text,
});
