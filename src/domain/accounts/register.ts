import { eq } from "drizzle-orm";
import { addressKey } from "@/contract/addresses";
import { visitor } from "@/core/actor";
import { commit, isDuplicate, type Write } from "@/core/commit";
import { retryOnConflict } from "@/core/conflict";
import { type Ctx, newId } from "@/core/context";
import { Refusal } from "@/core/refusal";
import { endsRule } from "../licences/holding";
import { firstRedemption, redeemableLicence } from "../licences/redeem";
import { findBlocks } from "../blocks/find";
import { authorize } from "../permissions";
import { newApiKey } from "./api-key";
import { hashPassword, judgePassword } from "./passwords";
import { emailBlocked, emailTaken, usesOfEmail } from "./free-email";
import { registerAgain } from "./register-again";
import { logSecurity } from "./security-log";
import { type Browser, type SignInCookies, newSession } from "./sessions";
import { accounts } from "../schema/accounts";
import type { Licence } from "../schema/licences";

export type Registration = {
  username: string;
  email: string;
  password: string;
  key: string;
  timezone: string;
};

/**
 * Creates the account, redeems its key and signs it in, in one commit with the writes of `also`: a bad key creates
 * nothing. The key is checked before name and email, so that finding out who has an account costs a valid
 * key. The same registration again, as after a lost answer, signs in. Resolves to the cookies for the browser.
 */
export async function register(
  ctx: Ctx,
  typed: Registration,
  { browser, also = [] }: { browser: Browser; also?: Write[] },
): Promise<SignInCookies> {
  authorize(visitor, "account.register");
  let licence: Licence;
  try {
    licence = await redeemableLicence(ctx, typed.key);
  } catch (error) {
    const entered = await registerAgain(ctx, typed, { browser, also });
    if (!entered) throw error;
    return entered;
  }
  refuseAll([...(await conflictsOf(ctx, typed, browser)), ...passwordProblem(typed)]);
  const passwordHash = await hashPassword(typed.password, `address ${browser.address}`);
  return retryOnConflict(async (again) => {
    if (again) licence = await redeemableLicence(ctx, typed.key);
    const { entered, writes } = creation(ctx, { ...typed, passwordHash }, licence, browser);
    try {
      await commit(ctx.store, [...writes, ...also]);
    } catch (error) {
      if (isDuplicate(error, "accounts.username_key")) throw usernameTaken();
      throw isDuplicate(error, "accounts.email_key") ? emailTaken() : error;
    }
    return entered;
  });
}

type Hashed = Registration & { passwordHash: string };

function creation(ctx: Ctx, typed: Hashed, licence: Licence, browser: Browser) {
  const id = newId();
  const session = newSession(ctx, id, browser);
  const writes = [
    ctx.store.db.insert(accounts).values({
      id,
      username: typed.username,
      usernameKey: typed.username.toLowerCase(),
      email: typed.email,
      emailKey: addressKey(typed.email),
      passwordHash: typed.passwordHash,
      ...newApiKey(ctx, id).stored,
      timezone: typed.timezone,
      createdAt: ctx.now(),
      licenceEdition: 1,
      endsRule: endsRule(ctx),
    }),
    ...firstRedemption(ctx, licence, { accountId: id, fixedEndsAt: null }),
    ...session.writes,
    logSecurity(ctx, { code: "account.registered", accountId: id, browser }),
  ];
  return { entered: session.entered, writes };
}

/** Throws the first, which names the others. */
function refuseAll([first, ...others]: Refusal[]): void {
  if (first) throw new Refusal(first.code, { ...first.detail, others });
}

function passwordProblem(typed: Registration): Refusal[] {
  try {
    judgePassword(typed.password, typed);
    return [];
  } catch (error) {
    if (error instanceof Refusal) return [error];
    throw error;
  }
}

async function conflictsOf(ctx: Ctx, typed: Registration, { address }: Browser): Promise<Refusal[]> {
  const { db } = ctx.store;
  const [blocks, names, ...emails] = await db.batch([
    findBlocks(ctx, { network: address, email: typed.email }),
    db
      .select({ id: accounts.id })
      .from(accounts)
      .where(eq(accounts.usernameKey, typed.username.toLowerCase())),
    ...usesOfEmail(ctx, typed.email, null),
  ]);
  const [blocked] = blocks;
  if (blocked?.kind === "email") return [emailBlocked()];
  if (blocked) return [new Refusal("blocked", { blocked: blocked.kind })];
  return [
    ...(names.length > 0 ? [usernameTaken()] : []),
    ...(emails.some((uses) => uses.length > 0) ? [emailTaken()] : []),
  ];
}

const usernameTaken = () => new Refusal("username_taken", { field: "username" });
