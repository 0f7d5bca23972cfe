import { eq } from "drizzle-orm";
import { addressKey } from "@/contract/vocabulary/addresses";
import { visitor } from "@/core/base/actor";
import { commit, isDuplicate, retryOnConflict, type Write } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { minute } from "@/contract/vocabulary/time";
import { endsRule } from "../../licences/entitlement/account-licences";
import { extensionsOf, firstRedemption, redeemableLicence } from "../../licences/changes/redeem";
import { findBlocks } from "../../blocks/find";
import { authorize } from "../../permissions";
import { accounts } from "../../schema/accounts";
import type { Licence } from "../../schema/licences";
import { licenceOfKey } from "../../licences/keys/find";
import { newApiKey } from "../sessions/api-key";
import { confirmationWrites } from "../emails/confirm-address";
import {
  hashPassword,
  expectAcceptablePassword,
  passwordMatches,
  queuePlaceOf,
} from "../credentials/passwords";
import {
  commitEmail,
  emailBlocked,
  emailTaken,
  removeTypedElsewhere,
  usesOfEmail,
} from "../addresses/free-email";
import { provesMailbox, type MailedKey } from "../addresses/proven-by-key";
import { mailboxOfKey } from "../recovery/recoverable";
import { logSecurity } from "../sessions/security-log";
import { type Browser, newSession, type SignInCookies } from "../sessions/sessions";
import { mustBeUnchanged } from "../sessions/account";

type Registration = {
  username: string;
  email: string;
  password: string;
  key: string;
  timezone: string;
};

type RegisterInput = {
  browser: Browser;
  browserHashes?: string[];
  also?: Write[];
  /** Mails a link and digits to the address, which anybody could have typed, unless it is proven by `mailed`. */
  asksForProof?: boolean;
  mailed?: MailedKey | null;
};

/**
 * Creates the account, redeems its key and signs it in, in one commit with the writes of `also`: a bad key creates
 * nothing. The key is checked before name and email, so that finding out who has an account costs a valid
 * key. The same registration again, as after a lost answer, signs in. `browserHashes` are those of the checkouts that the
 * browser began. Resolves to the cookies for the browser.
 */
export async function register(
  ctx: Ctx,
  typed: Registration,
  { browser, browserHashes = [], also = [], asksForProof = false, mailed = null }: RegisterInput,
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
  const passwordHash = await expectRegistrable(ctx, typed, browser);
  return retryOnConflict(async (again) => {
    if (again) licence = await redeemableLicence(ctx, typed.key);
    const redeemed = { ...licence, extensions: await extensionsOf(ctx, licence) };
    const emailConfirmed = provesMailbox(mailed, licence, typed.email);
    const keyEmail = await mailboxOfKey(ctx, licence);
    const created = { ...typed, emailConfirmed, keyEmail, passwordHash, licenceVersion: 1 } as const;
    const { id, entered, writes } = newAccount(ctx, created, browser);
    const redemption = firstRedemption(ctx, redeemed, { accountId: id, fixedEndsAt: null, browserHashes });
    const proof =
      asksForProof && !emailConfirmed
        ? confirmationWrites(ctx, { accountId: id, email: typed.email, byOwner: true })
        : [];
    await commitAccount(ctx, [...writes, ...redemption, ...proof, ...also]);
    return entered;
  });
}

/** What everybody types to get an account. */
type NewAccount = Omit<Registration, "key">;

/** Refuses a name, email or password that nobody may register with; resolves to the password's hash. */
export async function expectRegistrable(ctx: Ctx, typed: NewAccount, browser: Browser): Promise<string> {
  refuseAll([...(await conflictsOf(ctx, typed, browser)), ...passwordProblem(typed)]);
  return hashPassword(typed.password, `address ${browser.address}`);
}

type CreatedAccount = NewAccount & {
  passwordHash: string;
  licenceVersion: 0 | 1;
  emailConfirmed?: boolean;
  keyEmail?: string | null;
};

/** A new account, signed in: its id, the cookies for the browser, and the writes for {@link commitAccount}. */
export function newAccount(ctx: Ctx, typed: CreatedAccount, browser: Browser) {
  const id = newId();
  const session = newSession(ctx, id, browser);
  const writes = [
    ...(typed.emailConfirmed ? removeTypedElsewhere(ctx, typed.email, id) : []),
    ctx.store.db.insert(accounts).values({
      id,
      username: typed.username,
      usernameKey: typed.username.toLowerCase(),
      email: typed.email,
      emailKey: addressKey(typed.email),
      emailConfirmedAt: typed.emailConfirmed ? ctx.now() : null,
      keyEmail: typed.keyEmail,
      keyEmailKey: typed.keyEmail ? addressKey(typed.keyEmail) : null,
      passwordHash: typed.passwordHash,
      ...newApiKey(ctx, id).stored,
      timezone: typed.timezone,
      createdAt: ctx.now(),
      licenceVersion: typed.licenceVersion,
      endsRule: endsRule(ctx),
    }),
    ...session.writes,
    logSecurity(ctx, { code: "account.registered", accountId: id, browser }),
    ...(typed.emailConfirmed ? [logSecurity(ctx, { code: "email.confirmed", accountId: id, browser })] : []),
  ];
  return { id, entered: session.entered, writes };
}

/** Commits a new account; refuses with `username_taken` or `email_taken` if somebody else was first. */
export async function commitAccount(ctx: Ctx, writes: Write[]): Promise<void> {
  await commitEmail(ctx, writes).catch((error: unknown) => {
    throw isDuplicate(error, "accounts.username_key") ? usernameTaken() : error;
  });
}

/** Throws the first refusal, with the other fields in it. */
function refuseAll([first, ...others]: Refusal[]): void {
  if (first) throw new Refusal(first.code, { ...first.detail, others });
}

function passwordProblem(typed: NewAccount): Refusal[] {
  try {
    expectAcceptablePassword(typed.password, typed);
    return [];
  } catch (error) {
    if (error instanceof Refusal) return [error];
    throw error;
  }
}

async function conflictsOf(ctx: Ctx, typed: NewAccount, { address }: Browser): Promise<Refusal[]> {
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

/** After a lost answer, a browser may repeat the registration for this long. */
const repeatWindowMilliseconds = 10 * minute;

/**
 * Signs in to the account that the same registration has just created. Resolves to null if the key is unredeemed, or
 * name, email or password differ.
 */
async function registerAgain(
  ctx: Ctx,
  typed: Omit<Registration, "timezone">,
  { browser, also }: { browser: Browser; also: Write[] },
): Promise<SignInCookies | null> {
  const account = await accountOfKey(ctx, typed.key);
  const isSame =
    account?.usernameKey === typed.username.toLowerCase() &&
    account.emailKey === addressKey(typed.email) &&
    account.mfaEnabledAt === null &&
    ctx.now().getTime() - account.createdAt.getTime() < repeatWindowMilliseconds;
  if (!isSame) return null;
  if (!(await passwordMatches(typed.password, account.passwordHash, queuePlaceOf(account)))) return null;
  const session = newSession(ctx, account.id, browser);
  await commit(ctx.store, [
    ...mustBeUnchanged(ctx, account),
    ...session.writes,
    logSecurity(ctx, { code: "account.signed_in", accountId: account.id, browser }),
    ...also,
  ]);
  return session.entered;
}

async function accountOfKey(ctx: Ctx, typed: string) {
  const licence = await licenceOfKey(ctx, typed);
  if (!licence?.accountId) return null;
  const [account] = await ctx.store.db.select().from(accounts).where(eq(accounts.id, licence.accountId));
  return account ?? null;
}
