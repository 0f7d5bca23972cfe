import { z } from "zod";
import { type OwnerMailKind, ownerMailKinds } from "../../vocabulary/kinds";

const kind = z.boolean().describe("Whether this owner is mailed about it");
const kinds = Object.fromEntries(ownerMailKinds.map((name) => [name, kind])) as Record<
  OwnerMailKind,
  typeof kind
>;

/** The answer to `GET` and `POST /api/desk/me/notices`. */
export const ownerNotices = z.object(kinds);
export type OwnerNotices = z.infer<typeof ownerNotices>;
