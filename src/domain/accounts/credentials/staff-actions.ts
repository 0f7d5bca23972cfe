import { eq } from "drizzle-orm";
import type { By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import type { Account } from "../sessions/account";
import { turnOffMfa } from "./remove-mfa";
import { endAllSessions } from "../sessions/sessions";
import { mfaSetups } from "../../schema/accounts";
import { authorize, expectConfirmed } from "../../permissions";

/** Replaces the address and the device in the owner's notice. */
export const supportAsBrowser = { address: "our support", userAgent: "" };

/** Turns off two-factor for an owner who lost their device, and notifies them. Refuses with `mfa_off`. */
export async function resetMfa(ctx: Ctx, account: Account, by: By): Promise<void> {
  authorize(by, "mfa.reset");
  expectConfirmed(ctx, by, "mfa.reset");
  await commit(ctx.store, [
    ...turnOffMfa(ctx, account, supportAsBrowser),
    ctx.store.db.delete(mfaSetups).where(eq(mfaSetups.accountId, account.id)),
    record(ctx, { ...by, action: "mfa.reset_by_staff", subject: account.id, accountId: account.id }),
  ]);
}

/** Ends every session of an account. Its password and API token stay valid. */
export async function signOutEverywhere(ctx: Ctx, account: Account, by: By): Promise<void> {
  authorize(by, "session.end_all");
  await commit(ctx.store, [
    endAllSessions(ctx, account.id),
    record(ctx, { ...by, action: "session.all_ended_by_staff", subject: account.id, accountId: account.id }),
  ]);
}
