import { eq } from "drizzle-orm";
import { commit, isDuplicate } from "@/core/commit";
import { type Ctx, newId } from "@/core/context";
import { isConflict, Refusal } from "@/core/refusal";
import { claim, expiryFor, redeemableLicence } from "../licences/redeem";
import { newApiKey } from "./api-key";
import { hashPassword, judgePassword } from "./passwords";
import { emailTaken, expectFreeEmail } from "./free-email";
import { logSecurity } from "./security-log";
import { type Browser, type Entered, newSession } from "./sessions";
import { accounts } from "../schema/accounts";

export type Registration = {
  username: string;
  email: string;
  password: string;
  key: string;
  timezone: string;
};

/**
 * Creates the account, redeems its key and signs it in, in one commit: a bad key creates nothing.
 * The key is checked before name and email, so that finding out who has an account costs a valid
 * key. Resolves to the cookies for the browser.
 */
export async function register(ctx: Ctx, typed: Registration, browser: Browser): Promise<Entered> {
  await redeemableLicence(ctx, typed.key);
  await expectFree(ctx, typed);
  judgePassword(typed.password, typed);
  const passwordHash = await hashPassword(typed.password);
  for (;;) {
    try {
      return await create(ctx, typed, passwordHash, browser);
    } catch (error) {
      if (isDuplicate(error, "accounts.username_key")) throw usernameTaken();
      if (isDuplicate(error, "accounts.email_key")) throw emailTaken();
      if (!isConflict(error)) throw error;
    }
  }
}

async function create(ctx: Ctx, typed: Registration, passwordHash: string, browser: Browser) {
  const licence = await redeemableLicence(ctx, typed.key);
  const id = newId();
  const session = newSession(ctx, id, browser);
  await commit(ctx.store, [
    ctx.store.db.insert(accounts).values({
      id,
      username: typed.username,
      usernameKey: typed.username.toLowerCase(),
      email: typed.email,
      emailKey: typed.email.toLowerCase(),
      passwordHash,
      ...newApiKey(ctx, id).stored,
      timezone: typed.timezone,
      createdAt: ctx.now(),
      redemptions: 1,
    }),
    ...claim(ctx, licence, { accountId: id, expires: expiryFor(licence, undefined, ctx.now()) }),
    ...session.writes,
    logSecurity(ctx, { code: "account.registered", accountId: id, browser }),
  ]);
  return session.entered;
}

async function expectFree(ctx: Ctx, typed: Registration) {
  const [name] = await ctx.store.db
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.usernameKey, typed.username.toLowerCase()));
  if (name) throw usernameTaken();
  await expectFreeEmail(ctx, typed.email, null);
}

const usernameTaken = () => new Refusal("username_taken", { field: "username" });
