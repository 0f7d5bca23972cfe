import { eq, or } from "drizzle-orm";
import { brand } from "@/brand/brand";
import { addressKey } from "@/contract/addresses";
import type { By } from "@/core/actor";
import { record } from "@/core/audit";
import { commit, type Write } from "@/core/commit";
import { type Ctx, newId } from "@/core/context";
import { Refusal, refusalIn } from "@/core/refusal";
import { randomToken } from "@/core/secrets";
import { findBlock } from "../blocks/find";
import { newApiKey } from "../accounts/api-key";
import { expectFreeEmail } from "../accounts/free-email";
import { hashPassword } from "../accounts/passwords";
import { accounts } from "../schema/accounts";
import { linkStateOf } from "../discord/links";
import { linkWrites } from "../discord/change-link";
import { issue } from "../licences/issue";
import { keyHash, randomKey } from "../licences/keys";
import { endsRule } from "../licences/holding";
import { firstRedemption, redeemableLicence } from "../licences/redeem";
import { authorize } from "../permissions";

export type ImportedCustomer = {
  /** The customer's line in the file. */
  line: number;
  username: string;
  email: string;
  timezone: string;
  discordUserId: string | null;
  /** Redeemed at once. A missing `key` is generated, `days: null` is a lifetime, and `expiresAt` overrides `days`. */
  licence: { key: string | null; type: string; days: number | null; expiresAt: Date | null } | null;
};

export type Judged = {
  fresh: ImportedCustomer[];
  /** How many already have an account with the same name and email; the import leaves these as they are. */
  known: number;
  faults: { line: number; sentence: string }[];
};

type OnProgress = (done: number, total: number) => void;

/** Which of the customers can be imported, and why the others can't. Changes nothing. */
export async function judgeCustomers(
  ctx: Ctx,
  customers: ImportedCustomer[],
  onProgress?: OnProgress,
): Promise<Judged> {
  const judged: Judged = { fresh: [], known: 0, faults: [] };
  const seen = new Map<string, number>();
  for (const [at, customer] of customers.entries()) {
    const obstacle = twiceIn(seen, customer) ?? (await obstacleTo(ctx, customer));
    if (obstacle === isKnown) judged.known += 1;
    else if (obstacle === null) judged.fresh.push(customer);
    else judged.faults.push({ line: customer.line, sentence: obstacle });
    onProgress?.(at + 1, customers.length);
  }
  return judged;
}

function twiceIn(seen: Map<string, number>, customer: ImportedCustomer): string | null {
  const { line, username, email, discordUserId, licence } = customer;
  const own = { username, email, key: licence?.key, discord_id: discordUserId };
  for (const [field, value] of Object.entries(own)) {
    if (!value) continue;
    const name = `${field} ${field === "email" ? addressKey(value) : value.toLowerCase()}`;
    const other = seen.get(name);
    if (other !== undefined) return `its ${field} is on line ${other} as well`;
    seen.set(name, line);
  }
  return null;
}

const isKnown = Symbol("an account here already");

async function obstacleTo(ctx: Ctx, customer: ImportedCustomer): Promise<string | typeof isKnown | null> {
  const usernameKey = customer.username.toLowerCase();
  const emailKey = addressKey(customer.email);
  const held = await ctx.store.db
    .select()
    .from(accounts)
    .where(or(eq(accounts.usernameKey, usernameKey), eq(accounts.emailKey, emailKey)));
  if (held.some((one) => one.usernameKey === usernameKey && one.emailKey === emailKey)) return isKnown;
  if (held.some((one) => one.usernameKey === usernameKey)) {
    return "its username belongs to an account here with another email";
  }
  if (held.length > 0) return "its email belongs to an account here with another username";
  const { discordUserId } = customer;
  if (discordUserId && (await linkStateOf(ctx, discordUserId))) {
    return "its Discord user is connected to another account";
  }
  const blocked = await findBlock(ctx, { email: customer.email, discord: discordUserId });
  if (blocked) return blocked === "email" ? "its email is blocked" : "its Discord user is blocked";
  try {
    await expectFreeEmail(ctx, customer.email, null);
    await heldLicence(ctx, customer);
    return null;
  } catch (error) {
    const code = refusalIn(error)?.code;
    if (code === "email_taken") return "an account here gave up its email and may still take it back";
    if (code?.startsWith("license_")) return `its key can't be used (${code.slice("license_".length)})`;
    throw error;
  }
}

/** How many commits run at once; they are written to disk together. */
const atOnce = 32;

/**
 * Imports the customers that {@link judgeCustomers} found to be new, one commit each, so that an interrupted
 * import can be repeated with the same file. Nobody knows their passwords; they get in through recovery. Refuses
 * with the line's number if its name or email was taken meanwhile.
 */
export async function importCustomers(
  ctx: Ctx,
  customers: ImportedCustomer[],
  by: By,
  onProgress?: OnProgress,
): Promise<void> {
  authorize(by, "customer.import");
  // the hash of a random secret that nobody keeps; one for all, because hashing takes longer than everything else
  const passwordHash = await hashPassword(randomToken(), "operator");
  for (let from = 0; from < customers.length; from += atOnce) {
    const page = customers.slice(from, from + atOnce);
    const ended = await Promise.allSettled(
      page.map((customer) => importOne(ctx, customer, { by, passwordHash })),
    );
    const lost = ended.find((one) => one.status === "rejected");
    if (lost) throw lost.reason;
    onProgress?.(from + page.length, customers.length);
  }
}

type Import = { by: By; passwordHash: string };

async function importOne(ctx: Ctx, customer: ImportedCustomer, { by, passwordHash }: Import): Promise<void> {
  const { line, username, email, timezone, discordUserId } = customer;
  const id = newId();
  try {
    await commit(ctx.store, [
      ctx.store.db.insert(accounts).values({
        id,
        username,
        usernameKey: username.toLowerCase(),
        email,
        emailKey: addressKey(email),
        passwordHash,
        ...newApiKey(ctx, id).stored,
        timezone,
        createdAt: ctx.now(),
        licenceEdition: customer.licence ? 1 : 0,
        endsRule: endsRule(ctx),
      }),
      record(ctx, { ...by, action: "account.imported", subject: id, accountId: id }),
      ...(await licenceWrites(ctx, customer, id)),
      ...(discordUserId
        ? linkWrites(
            ctx,
            { accountId: id, former: undefined },
            { discordUserId, displayName: null, tokens: null, ...by },
          )
        : []),
    ]);
  } catch (error) {
    const code = refusalIn(error)?.code;
    const lost = code === "conflict" || (error instanceof Error && /UNIQUE constraint/.test(error.message));
    if (!lost) throw error;
    const sentence = `Line ${line} was taken in the meantime. Others were imported: check again with --dry-run, and repeat the import.`;
    throw new Refusal("conflict", { sentence }, { cause: error });
  }
}

async function licenceWrites(ctx: Ctx, customer: ImportedCustomer, accountId: string): Promise<Write[]> {
  if (!customer.licence) return [];
  const { key, type, days, expiresAt } = customer.licence;
  const known = await heldLicence(ctx, customer);
  const id = known?.id ?? newId();
  const made = { id, key: key ?? randomKey(), type: type || brand.premium.type, days };
  const claimed = known ?? { id, keyHash: keyHash(ctx, made.key), days, paidUntil: null, livemode: null };
  return [
    ...(known ? [] : [issue(ctx, made)]),
    ...firstRedemption(ctx, claimed, { accountId, fixedEndsAt: expiresAt }),
  ];
}

/** The licence of the customer's key, if the shop has it already. Refuses like a redemption. */
async function heldLicence(ctx: Ctx, { licence }: ImportedCustomer) {
  if (!licence?.key) return null;
  try {
    return await redeemableLicence(ctx, licence.key);
  } catch (error) {
    const code = refusalIn(error)?.code;
    if (code === "license_unknown" || code === "license_malformed") return null;
    throw error;
  }
}
