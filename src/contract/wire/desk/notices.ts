import { z } from "zod";
import { reason } from "./reason";

/** What owners are mailed about where nobody reads a staff channel. */
export const ownerMailKinds = [
  "disputes",
  "refund_proposals",
  "address_proposals",
  "stuck_jobs",
  "failed_backups",
] as const;
export type OwnerMailKind = (typeof ownerMailKinds)[number];

const kind = z.boolean().describe("Whether this owner is mailed about it");
const kinds = Object.fromEntries(ownerMailKinds.map((name) => [name, kind])) as Record<
  OwnerMailKind,
  typeof kind
>;

/** The answer to `GET` and `POST /api/desk/me/notices`. */
export const ownerNotices = z.object(kinds);
export type OwnerNotices = z.infer<typeof ownerNotices>;

/** `POST /api/desk/me/notices`: those left out stay as they are. */
export const ownerNoticesBody = z.strictObject({ ...ownerNotices.partial().shape, reason });
