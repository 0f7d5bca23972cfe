import { minute } from "@/contract/time";
import type { Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import type { LimitTable } from "@/core/limit-table";
import { Refusal } from "@/core/refusal";
import { type Requester, stillSignedIn, unchanged } from "./account";
import { passwordFits, placeOf } from "./passwords";
import { secondFactor } from "./second-factor";

type Proof = { password: string | undefined; security_code: string | undefined; field?: string };

/** How long a password typed in a session counts as proof. */
const proofMilliseconds = 15 * minute;

/**
 * Requires the password, given now or typed in this session recently, and a code if two-factor is on, so that a
 * stolen session is not enough to take over the account. Resolves to the first writes of the commit. Refuses with
 * `password_wrong`, `reauthenticate`, `recovery_due` or any code of {@link secondFactor}.
 */
export async function confirm(
  ctx: Ctx,
  limits: LimitTable,
  requester: Requester,
  proof: Proof,
): Promise<Write[]> {
  const { account, browser } = requester;
  expectNoRecoveryDue(account);
  if (proof.password === undefined) expectRecentPassword(ctx, requester);
  else if (!(await passwordFits(proof.password, account.passwordHash, placeOf(account)))) {
    throw new Refusal("password_wrong", { field: proof.field ?? "password" });
  }
  const uses = await secondFactor(ctx, limits, account, { code: proof.security_code, browser });
  return [...stillSignedIn(ctx, requester), ...unchanged(ctx, account), ...uses];
}

/**
 * Refuses with `reauthenticate` unless the owner typed the password in this session recently, and with `recovery_due`
 * if the password proves nothing.
 */
export function expectRecentPassword(ctx: Ctx, { account, session: { provedAt } }: Requester): void {
  expectNoRecoveryDue(account);
  const recent = provedAt !== null && ctx.now().getTime() - provedAt.getTime() < proofMilliseconds;
  if (!recent) throw new Refusal("reauthenticate");
}

/** Refuses with `recovery_due` after an undone email change: the thief still knows the password and may have signed in. */
export function expectNoRecoveryDue({ recoveryDueAt }: Requester["account"]): void {
  if (recoveryDueAt) throw new Refusal("recovery_due");
}
