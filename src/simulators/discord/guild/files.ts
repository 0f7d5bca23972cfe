import type { World } from "../world";

/** A file as the control takes it: text, or bytes in base64. */
export type FileGiven = {
  filename: string;
  content_type?: string | undefined;
  content?: string | undefined;
  base64?: string | undefined;
  description?: string | null | undefined;
  ephemeral?: boolean;
};

/** Keeps a file and tells its id; nothing shows it until a message names it. */
export function storeFile(world: World, given: FileGiven): string {
  const base64 = given.base64 ?? Buffer.from(given.content ?? "").toString("base64");
  const { id } = world.store.put("attachments", {
    id: world.ids.snowflake(),
    filename: given.filename.replaceAll(/[^\w.-]+/g, "_"),
    size: Buffer.from(base64, "base64").length,
    content_type: given.content_type ?? "application/octet-stream",
    description: given.description ?? null,
    ephemeral: given.ephemeral ?? false,
    base64,
  });
  return id;
}
