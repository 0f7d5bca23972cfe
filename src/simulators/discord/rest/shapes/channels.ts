import { z } from "zod";

const bitsText = z.union([z.string().regex(/^\d+$/), z.int()]).transform(String);

const overwrite = z.object({
  id: z.string(),
  type: z.union([z.literal(0), z.literal(1)]).default(0),
  allow: bitsText.nullish().transform((bits) => bits ?? "0"),
  deny: bitsText.nullish().transform((bits) => bits ?? "0"),
});
export const overwriteBody = overwrite.omit({ id: true });

const archiveAfter = z.union([z.literal([60, 1440, 4320, 10_080])]);

export const channelChange = z.object({
  type: z.union([z.literal([0, 2, 4])]).optional(),
  name: z.string().min(1).max(100).optional(),
  topic: z.string().max(1024).nullish(),
  position: z.int().nullish(),
  parent_id: z.string().nullish(),
  nsfw: z.boolean().nullish(),
  rate_limit_per_user: z.int().min(0).max(21_600).nullish(),
  permission_overwrites: z.array(overwrite).nullish(),
});

export const threadChange = z.object({
  name: z.string().min(1).max(100).optional(),
  archived: z.boolean().optional(),
  locked: z.boolean().optional(),
  invitable: z.boolean().optional(),
  auto_archive_duration: archiveAfter.optional(),
  rate_limit_per_user: z.int().min(0).max(21_600).nullish(),
});

export const newThread = z.object({
  name: z.string().min(1).max(100),
  auto_archive_duration: archiveAfter.nullish(),
  rate_limit_per_user: z.int().min(0).max(21_600).nullish(),
  type: z.union([z.literal([10, 11, 12])]).optional(),
  invitable: z.boolean().nullish(),
});
