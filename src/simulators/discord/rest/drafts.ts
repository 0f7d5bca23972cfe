import type { Context } from "hono";
import { type Draft, type MessageChange } from "../guild/draft";
import { storeFile } from "../guild/files";
import type { Json } from "../store/rows";
import type { World } from "../world";
import { invalidForm } from "../errors";
import { type Upload, check, readBody } from "./form";
import { numbered } from "./shapes/component-tree";
import {
  type ChangeBody,
  type MessageBody,
  componentsShape,
  componentsV2,
  messageChange,
  newMessage,
} from "./shapes/messages";

/** A new message from a call's body, with its files stored. */
export async function draftOf(world: World, c: Context): Promise<{ draft: Draft; body: MessageBody }> {
  const { json, files } = await readBody(c);
  const body = check(newMessage, json);
  return { draft: await draftFrom(world, body, files), body };
}

export async function draftFrom(world: World, body: MessageBody, files: Upload[]): Promise<Draft> {
  const flags = body.flags ?? 0;
  return {
    content: body.content ?? "",
    embeds: embedsOf(body),
    components: componentsOf(body.components ?? [], (flags & componentsV2) !== 0),
    attachments: await storeFiles(world, body.attachments ?? [], files, (flags & 64) !== 0),
    flags: flags & settable,
    tts: body.tts ?? false,
    nonce: body.nonce ?? null,
    reply_to: body.message_reference?.message_id ?? null,
    allowed_mentions: body.allowed_mentions ?? undefined,
  };
}

export async function changeOf(world: World, c: Context, flagsBefore: number): Promise<MessageChange> {
  const { json, files } = await readBody(c);
  return changeFrom(world, { body: check(messageChange, json), files }, flagsBefore);
}

type Said = { body: ChangeBody; files: Upload[] };

/** Attachments that aren't named again go; without the field all stay. */
export async function changeFrom(
  world: World,
  { body, files }: Said,
  flagsBefore: number,
): Promise<MessageChange> {
  const second = (((body.flags ?? 0) | flagsBefore) & componentsV2) !== 0;
  if (second && body.content) throw legacy("content");
  if (second && body.embeds?.length) throw legacy("embeds");
  const stored = await storeFiles(world, body.attachments ?? [], files, (flagsBefore & 64) !== 0);
  const kept = body.attachments?.filter(({ id }) => world.store.attachments.has(id)).map(({ id }) => id);
  const touched = body.attachments !== undefined || files.length > 0;
  return {
    ...(body.content !== undefined && { content: body.content ?? "" }),
    ...(body.embeds !== undefined && { embeds: embedsOf(body) }),
    ...(body.components !== undefined && { components: componentsOf(body.components ?? [], second) }),
    ...(touched && { attachments: [...(kept ?? []), ...stored] }),
    ...(body.flags != null && { flags: body.flags }),
    allowed_mentions: body.allowed_mentions ?? undefined,
  };
}

/** Suppressed embeds and notifications, ephemeral, and components of the second version. */
const settable = (1 << 2) | (1 << 6) | (1 << 12) | (1 << 15);

function componentsOf(given: readonly object[], second: boolean) {
  return numbered(check(componentsShape(second), { components: given }).components);
}

function embedsOf({ embeds }: ChangeBody): Json[] {
  return (embeds ?? []).map((embed) => {
    const said = Object.entries(embed).filter(([, value]) => value != null);
    return { type: "rich", ...Object.fromEntries(said), ...dated(embed.timestamp) };
  });
}

function dated(timestamp: string | null | undefined) {
  return timestamp ? { timestamp: new Date(timestamp).toISOString().replace("Z", "000+00:00") } : {};
}

type Named = { id: string; filename?: string | undefined; description?: string | null | undefined };

async function storeFiles(
  world: World,
  named: Named[],
  files: Upload[],
  ephemeral: boolean,
): Promise<string[]> {
  if (files.length > 10)
    throw invalidForm("attachments", "BASE_TYPE_MAX_LENGTH", "Must be 10 or fewer in length.");
  const stored: string[] = [];
  for (const { index, file } of files) {
    const about = named.find(({ id }) => id === index);
    const id = storeFile(world, {
      filename: about?.filename ?? file.name,
      content_type: file.type || undefined,
      description: about?.description,
      ephemeral,
      base64: Buffer.from(await file.arrayBuffer()).toString("base64"),
    });
    stored.push(id);
  }
  return stored;
}

function legacy(field: string) {
  const message = `The '${field}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2`;
  return invalidForm(field, "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", message);
}
