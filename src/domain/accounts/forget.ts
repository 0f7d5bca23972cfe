import { lt } from "drizzle-orm";
import { commit } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { sessionIdleMilliseconds, sessionLongestMilliseconds } from "./sessions";
import { emailUndos, mfaSetups, recoveries, sessions } from "../schema/accounts";

/** A verified browser may still be choosing a password after its code has expired. */
const recoveryGraceMilliseconds = 60 * 60_000;

/** Deletes expired rows so that they don't pile up. */
export async function forgetExpired(ctx: Ctx): Promise<void> {
  const now = ctx.now();
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds);
  const { db } = ctx.store;
  await commit(ctx.store, [
    db.delete(sessions).where(lt(sessions.lastSeenAt, before(sessionIdleMilliseconds))),
    db.delete(sessions).where(lt(sessions.createdAt, before(sessionLongestMilliseconds))),
    db.delete(mfaSetups).where(lt(mfaSetups.expiresAt, now)),
    db.delete(recoveries).where(lt(recoveries.expiresAt, before(recoveryGraceMilliseconds))),
    db.delete(emailUndos).where(lt(emailUndos.expiresAt, now)),
  ]);
}
