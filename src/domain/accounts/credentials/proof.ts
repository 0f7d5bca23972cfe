import { and, eq, isNotNull } from "drizzle-orm";
import { minute } from "@/contract/vocabulary/time";
import { mustHaveChanged, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import type { LimitTable } from "@/contract/vocabulary/limits";
import { Refusal } from "@/core/base/refusal";
import { type Requester, mustBeSignedIn, mustBeUnchanged } from "../sessions/account";
import { passwordMatches, queuePlaceOf } from "./passwords";
import { secondFactor } from "./second-factor";
import { sessions } from "../../schema/accounts";

/** What a call may bring as proof. */
export type ProofInput = { password?: string | undefined; security_code?: string | undefined };

/** How long a password typed in a session counts as proof. */
const proofMilliseconds = 15 * minute;

/**
 * Requires the password, given now or typed in this session recently, and a code if two-factor is on, so that a
 * stolen session is not enough to take over the account. Resolves to the first writes of the commit. Refuses with
 * `password_wrong`, `reauthenticate` or any code of {@link secondFactor}.
 */
export async function expectCredentials(
  ctx: Ctx,
  limits: LimitTable,
  requester: Requester,
  { password, security_code: code, field = "password" }: ProofInput & { field?: string },
): Promise<Write[]> {
  const { account, browser } = requester;
  if (password === undefined) expectRecentPassword(ctx, requester);
  else if (!(await passwordMatches(password, account.passwordHash, queuePlaceOf(account)))) {
    throw new Refusal("password_wrong", { field });
  }
  const uses = await secondFactor(ctx, limits, account, { code, browser });
  return [...mustBeSignedIn(ctx, requester), ...mustBeUnchanged(ctx, account), ...uses];
}

/** Refuses with `reauthenticate` unless the owner typed the password in this session recently. */
function expectRecentPassword(ctx: Ctx, { session: { provedAt } }: Requester): void {
  const recent = provedAt !== null && ctx.now().getTime() - provedAt.getTime() < proofMilliseconds;
  if (!recent) throw new Refusal("reauthenticate");
}

/**
 * For what adds a way into the account: refuses with `reauthenticate` unless the owner typed the password, and a code if
 * two-factor is on, in this session after its sign-in and recently. Otherwise a stolen session would be enough.
 */
export function expectProof(ctx: Ctx, requester: Requester): void {
  const { account, session } = requester;
  expectRecentPassword(ctx, requester);
  const since = Math.max(session.createdAt.getTime(), account.mfaEnabledAt?.getTime() ?? 0);
  if ((session.provedAt?.getTime() ?? 0) <= since) throw new Refusal("reauthenticate");
}

/** As {@link expectProof}, or with the password and code in the call. Resolves to the first writes of the commit. */
export async function expectProofOrCredentials(
  ctx: Ctx,
  limits: LimitTable,
  requester: Requester,
  typed: ProofInput,
): Promise<Write[]> {
  if (typed.password !== undefined) return expectCredentials(ctx, limits, requester, typed);
  expectProof(ctx, requester);
  return mustBeSignedIn(ctx, requester);
}

/** The writes that use up a session's proof; the commit fails with `reauthenticate` if it was used meanwhile. */
export const spendProof = (ctx: Ctx, { session }: Requester): Write[] => [
  ctx.store.db
    .update(sessions)
    .set({ provedAt: null })
    .where(and(eq(sessions.id, session.id), isNotNull(sessions.provedAt))),
  mustHaveChanged("reauthenticate"),
];
