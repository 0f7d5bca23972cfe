import type { Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import type { LimitTable } from "@/core/limit-table";
import { Refusal } from "@/core/refusal";
import { type Actor, stillSignedIn, unchanged } from "./account";
import { passwordFits } from "./passwords";
import { secondFactor } from "./second-factor";

type Proof = { password: string | undefined; security_code: string | undefined; field?: string };

/** How long a password that was typed in a session counts for what needs it. */
const proofMilliseconds = 15 * 60_000;

/**
 * Asks somebody who is signed in for the password, or takes the one that was typed in this session lately,
 * and for a code where two-factor is on, so that a stolen session alone can't take the account. Resolves to
 * how the commit must begin. Refuses with `password_wrong`, `reauthenticate` and whatever {@link secondFactor} does.
 */
export async function confirm(ctx: Ctx, limits: LimitTable, actor: Actor, proof: Proof): Promise<Write[]> {
  const { account, browser } = actor;
  if (proof.password === undefined) expectRecentPassword(ctx, actor);
  else if (!(await passwordFits(proof.password, account.passwordHash))) {
    throw new Refusal("password_wrong", { field: proof.field ?? "password" });
  }
  const uses = await secondFactor(ctx, limits, account, { code: proof.security_code, browser });
  return [...stillSignedIn(ctx, actor), ...unchanged(ctx, account), ...uses];
}

/** Refuses with `reauthenticate` unless the password was typed in this session lately. */
export function expectRecentPassword(ctx: Ctx, { session: { provedAt } }: Actor): void {
  const recent = provedAt !== null && ctx.now().getTime() - provedAt.getTime() < proofMilliseconds;
  if (!recent) throw new Refusal("reauthenticate");
}
