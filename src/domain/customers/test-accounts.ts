import { eq } from "drizzle-orm";
import { type By, operator } from "@/core/base/actor";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { day } from "@/contract/vocabulary/time";
import { randomToken } from "@/core/secrets/secrets";
import { type Account, accountByName } from "../accounts/sessions/account";
import { apiKeyOf } from "../accounts/sessions/api-key";
import { commitAccount, expectRegistrable, newAccount, register } from "../accounts/sign-in/register";
import type { Browser } from "../accounts/sessions/sessions";
import { countSeats } from "../devices/read";
import { takeSeat } from "../devices/take-seat";
import { changeLicence } from "../licences/changes/change";
import { handOut } from "../licences/keys/hand-out";
import { authorize } from "../permissions";
import { type Licence, licences } from "../schema/licences";

/** An account for the authors of an application. */
export type TestAccount = {
  username: string;
  email: string;
  /** Null for an account made earlier: only its hash is stored. */
  password: string | null;
  /** The auth token. */
  token: string | null;
  /** What the application is answered. */
  verdict: string;
};

type Kind = {
  name: string;
  verdict: string;
  /** The days of its licence; null for a lifetime, undefined for an account without a licence. */
  days?: number | null;
  /** How long ago it registered, in milliseconds. */
  ago?: number;
  /** Brings it to its verdict; safe to repeat. */
  prepare?: (ctx: Ctx, account: Account, licence: Licence, by: By) => Promise<unknown>;
};

const kinds: Kind[] = [
  { name: "valid", verdict: "VALID, and NOT_ACTIVATED before its first computer", days: null },
  { name: "timed", verdict: "VALID, for 30 days", days: 30 },
  { name: "full", verdict: "HWID_MISMATCH, on another computer", days: null, prepare: bindComputer },
  { name: "expired", verdict: "EXPIRED", days: 1, ago: 2 * day },
  { name: "disputed", verdict: "DISPUTED", days: null, prepare: dispute },
  { name: "revoked", verdict: "REVOKED", days: null, prepare: revoke },
  { name: "none", verdict: "NO_LICENSE" },
];

/**
 * Makes an account for each verdict, with licences that nobody paid for. Accounts made earlier stay; an interrupted run
 * is completed. Their mail goes to `email` with a tag: `you+valid@example.com`. Refuses as `register` does.
 */
export async function makeTestAccounts(ctx: Ctx, email: string, by: By): Promise<TestAccount[]> {
  authorize(by, "customer.make_tests");
  const made: TestAccount[] = [];
  for (const kind of kinds) made.push(await makeOne(ctx, kind, { email, by }));
  return made;
}

async function makeOne(ctx: Ctx, kind: Kind, { email, by }: { email: string; by: By }): Promise<TestAccount> {
  const username = `test-${kind.name}`;
  const before = await accountByName(ctx, username);
  const password = before ? null : randomToken();
  if (password !== null)
    await create(ctx, kind, { username, email: withTag(email, kind.name), password }, by);
  const account = before ?? (await accountByName(ctx, username));
  if (!account) throw new Error("the account was just made");
  if (kind.prepare) {
    const [licence] = await ctx.store.db.select().from(licences).where(eq(licences.accountId, account.id));
    if (licence) await kind.prepare(ctx, account, licence, by);
  }
  return {
    username,
    email: account.email ?? withTag(email, kind.name),
    password,
    token: apiKeyOf(ctx, account),
    verdict: kind.verdict,
  };
}

type AccountInput = { username: string; email: string; password: string };

async function create(ctx: Ctx, { days, ago = 0 }: Kind, named: AccountInput, by: By): Promise<void> {
  const then = { ...ctx, now: () => new Date(ctx.now().getTime() - ago) };
  const typed = { ...named, timezone: "UTC" };
  if (days !== undefined)
    return void (await register(
      then,
      { ...typed, key: await handOut(then, { days }, by) },
      { browser: commandLine },
    ));
  const passwordHash = await expectRegistrable(then, typed, commandLine);
  const { writes } = newAccount(then, { ...typed, passwordHash, licenceVersion: 0 }, commandLine);
  await commitAccount(then, writes);
}

const commandLine: Browser = { userAgent: "Command line", address: "127.0.0.1" };

const withTag = (email: string, tag: string) => email.replace(/(?=@[^@]*$)/, `+${tag}`);

async function bindComputer(ctx: Ctx, { id: accountId }: Account) {
  const computer = { hwid: "another computer", label: "Another computer", os: "Linux", version: "1.0.0" };
  const owner = { accountId, seats: await countSeats(ctx, accountId) };
  await takeSeat(ctx, owner, computer, { actor: operator, cause: "application" });
}

/** As a payment's dispute would; there is no payment. */
function dispute(ctx: Ctx, _: Account, { id }: Licence) {
  const disputed = ctx.store.db
    .update(licences)
    .set({ paymentStatus: "disputed" })
    .where(eq(licences.id, id));
  return commit(ctx.store, [disputed]);
}

async function revoke(ctx: Ctx, _: Account, licence: Licence, by: By) {
  if (licence.revokedAt === null) await changeLicence(ctx, licence, "revoke", by);
}
