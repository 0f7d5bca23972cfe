import { z } from "zod";
import { instant } from "./envelope";
import { oneLine } from "../vocabulary/plain-words";

const id = z.string().min(1).max(64);

/** A computer of the account, as its owner sees it. */
export const ownDevice = z.object({
  id: z.string(),
  label: z.string(),
  os: z.string(),
  version: z.string().nullable().describe("The application's, when last seen; null if it was never online"),
  active: z
    .boolean()
    .describe("false: the account has fewer seats now, and the application doesn't run there"),
  first_seen: instant,
  last_seen: instant,
  removable_at: instant.nullable().describe("From when it may be removed; null: now"),
  offline_until: instant.nullable().describe("The end of its newest offline file"),
});
export type OwnDevice = z.infer<typeof ownDevice>;

export const deviceRemoveBody = z.object({ id });
export const deviceLabel = z.string().max(64).overwrite(oneLine).min(1).describe("Its name, for its owner");
export const deviceRenameBody = z.object({ id, label: deviceLabel });
