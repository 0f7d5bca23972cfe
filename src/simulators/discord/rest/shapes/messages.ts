import { z } from "zod";
import { rows } from "./components";

const text = (most: number) => z.string().max(most);
const embed = z.object({
  title: text(256).optional(),
  description: text(4096).optional(),
  author: z.object({ name: z.string().min(1).max(256) }).optional(),
  fields: z
    .array(
      z.object({
        name: z.string().min(1).max(256),
        value: z.string().min(1).max(1024),
        inline: z.boolean().default(false),
      }),
    )
    .max(25)
    .optional(),
});
const embeds = z
  .array(embed)
  .max(10)
  .refine(
    (given) => given.reduce((all, one) => all + sizeOf(one), 0) <= 6000,
    "Embed size exceeds maximum size of 6000",
  );

const ids = z.array(z.string()).max(100);
const allowedMentions = z
  .object({
    parse: z.array(z.enum(["users", "roles", "everyone"])).nullish(),
    users: ids.nullish(),
    roles: ids.nullish(),
  })
  .refine(
    (given) =>
      !(["users", "roles"] as const).some((kind) => given.parse?.includes(kind) && given[kind]?.length),
    "parse and a list of ids are mutually exclusive.",
  );

const attachment = z.object({
  id: z.union([z.string(), z.int()]).transform(String),
  filename: text(1024).optional(),
});

const base = {
  content: text(2000).nullish(),
  embeds: embeds.nullish(),
  components: rows.nullish(),
  allowed_mentions: allowedMentions.nullish(),
  attachments: z.array(attachment).max(10).nullish(),
  flags: z.int().nonnegative().nullish(),
};

export const newMessage = z.object({
  ...base,
  nonce: z.union([text(25), z.int()]).nullish(),
  enforce_nonce: z.boolean().nullish(),
});

export const messageChange = z.object(base);
export type MessageBody = z.infer<typeof newMessage>;
export type ChangeBody = z.infer<typeof messageChange>;

function sizeOf({ title, description, author, fields }: z.infer<typeof embed>): number {
  const parts = [title, description, author?.name, ...(fields ?? []).flatMap((one) => [one.name, one.value])];
  return parts.reduce((all, one) => all + (one?.length ?? 0), 0);
}
