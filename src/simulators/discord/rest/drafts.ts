import type { Context } from "hono";
import { type Draft, emptyDraft, type MessageChange, storeFile } from "../guild/messages";
import type { Embed } from "../rows";
import type { World } from "../world";
import { type Upload, check, readBody } from "./form";
import { numbered } from "./shapes/components";
import { type ChangeBody, type MessageBody, messageChange, newMessage } from "./shapes/messages";

/** A new message from a call's body; stores its files. */
export async function draftOf(world: World, c: Context): Promise<{ draft: Draft; body: MessageBody }> {
  const { json, files } = await readBody(c);
  const body = check(newMessage, json);
  return { draft: await draftFrom(world, body, files), body };
}

export async function draftFrom(world: World, body: MessageBody, files: Upload[]): Promise<Draft> {
  return {
    ...emptyDraft,
    content: body.content ?? "",
    embeds: embedsOf(body),
    components: numbered(body.components ?? []),
    attachments: await storeFiles(world, body, files),
    flags: (body.flags ?? 0) & settable,
    nonce: body.nonce ?? null,
    allowed_mentions: body.allowed_mentions ?? undefined,
  };
}

/** Removes attachments that the field leaves out; without the field all stay. */
export async function messageChangeOf(world: World, c: Context): Promise<MessageChange> {
  const { json, files } = await readBody(c);
  const body = check(messageChange, json);
  const stored = await storeFiles(world, body, files);
  const kept = body.attachments?.filter(({ id }) => world.store.attachments.has(id)).map(({ id }) => id);
  return {
    ...(body.content !== undefined && { content: body.content ?? "" }),
    ...(body.embeds !== undefined && { embeds: embedsOf(body) }),
    ...(body.components !== undefined && { components: numbered(body.components ?? []) }),
    ...((kept || stored.length > 0) && { attachments: [...(kept ?? []), ...stored] }),
    allowed_mentions: body.allowed_mentions ?? undefined,
  };
}

/** Flags: suppressed embeds, ephemeral, suppressed notifications. */
const settable = (1 << 2) | (1 << 6) | (1 << 12);

function embedsOf({ embeds }: ChangeBody): Embed[] {
  return (embeds ?? []).map((embed) => ({ type: "rich", ...embed }));
}

async function storeFiles(world: World, { attachments }: ChangeBody, files: Upload[]): Promise<string[]> {
  const stored: string[] = [];
  for (const { index, file } of files) {
    const filename = attachments?.find(({ id }) => id === index)?.filename ?? file.name;
    const base64 = Buffer.from(await file.arrayBuffer()).toString("base64");
    stored.push(storeFile(world, { filename, content_type: file.type || undefined, base64 }));
  }
  return stored;
}
