import type { Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import type { LimitTable } from "@/core/limit-table";
import { Refusal } from "@/core/refusal";
import { type Actor, stillSignedIn, unchanged } from "./account";
import { passwordFits } from "./passwords";
import { secondFactor } from "./second-factor";

type Proof = { password: string; security_code: string | undefined; field?: string };

/**
 * Asks somebody who is signed in for the password again, and for a code where two-factor is on, so
 * that a stolen session alone can't take the account. Resolves to how the commit must begin.
 * Refuses with `password_wrong` and whatever {@link secondFactor} does.
 */
export async function confirm(ctx: Ctx, limits: LimitTable, actor: Actor, proof: Proof): Promise<Write[]> {
  const { account, browser } = actor;
  if (!(await passwordFits(proof.password, account.passwordHash))) {
    throw new Refusal("password_wrong", { field: proof.field ?? "password" });
  }
  const uses = await secondFactor(ctx, limits, account, { code: proof.security_code, browser });
  return [...stillSignedIn(ctx, actor), ...unchanged(ctx, account), ...uses];
}
