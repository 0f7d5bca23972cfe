import { z } from "zod";

import { channels, platforms } from "../../vocabulary/builds";
import { instant } from "../envelope";

export const sha256 = z.string().regex(/^[0-9a-f]{64}$/, "must be a SHA-256 in lowercase hexadecimal");

export const buildRow = z.object({
  platform: z.enum(platforms),
  name: z.string(),
  size: z.int().describe("Bytes"),
  sha256: z.string(),
});

export const releaseRow = z.object({
  id: z.string(),
  version: z.string(),
  channel: z.enum(channels),
  title: z.string(),
  content: z.string().describe("Markdown"),
  rollout: z.int().describe("The percentage of devices that are offered it"),
  minimum_version: z.string().nullable().describe("Applications older than this must update"),
  own_key: z.boolean().describe("Whether it is signed with the publisher's own key instead of the shop's"),
  published_at: instant,
  yanked_at: instant.nullable(),
  current: z.boolean().describe("Whether this is what customers download now"),
  builds: z.array(buildRow),
});
export type ReleaseRow = z.infer<typeof releaseRow>;

/** The size of every part except the last; proxies let 12 MB through. */
export const partBytes = 8 * 1024 * 1024;

/**
 * `sending`: it is waiting for parts, or to be finished. `publishing`: it was finished, and the shop is storing the
 * builds. `published` and `cancelled` are final; what was `refused` can be finished again once the cause is gone.
 */
const uploadStates = ["sending", "publishing", "published", "refused", "cancelled"] as const;
export type UploadState = (typeof uploadStates)[number];

export const uploadFile = z.object({
  name: z.string(),
  platform: z.enum(platforms),
  size: z.int(),
  sha256: z.string(),
});

export const upload = z.object({
  id: z.string(),
  state: z.enum(uploadStates),
  version: z.string(),
  channel: z.enum(channels),
  title: z.string(),
  content: z.string(),
  rollout: z.int(),
  minimum_version: z.string().nullable(),
  keep: z.array(z.enum(platforms)),
  tell: z.boolean(),
  part_bytes: z.int().describe("The size of every part except the last"),
  received: z.int().describe("The bytes that have arrived, of all files together"),
  files: z.array(uploadFile),
  stored: z
    .object({ bytes: z.int(), of: z.int() })
    .nullable()
    .describe("While publishing: how much has been stored"),
  refusal: z.object({ code: z.string(), sentence: z.string() }).nullable().describe("Why it was refused"),
  created_at: instant,
  expires_at: instant.describe("When it is cancelled, unless another part arrives before"),
});
export type Upload = z.infer<typeof upload>;

export const partParams = z.object({
  id: z.string().max(64),
  part: z
    .string()
    .regex(/^\d{1,5}$/, "must be a number")
    .transform(Number),
});
