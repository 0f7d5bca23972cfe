import { eq, or } from "drizzle-orm";
import { brand } from "@/brand/brand";
import { addressKey } from "@/contract/vocabulary/addresses";
import type { By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, type Write } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { Refusal, refusalIn } from "@/core/base/refusal";
import { randomToken } from "@/core/secrets/secrets";
import { usernameRule } from "@/contract/vocabulary/account-rules";
import { discordId } from "@/contract/wire/discord";
import { minute } from "@/contract/vocabulary/time";
import { newApiKey } from "../accounts/sessions/api-key";
import { expectFreeEmail, removeTypedElsewhere } from "../accounts/addresses/free-email";
import { hashPassword } from "../accounts/credentials/passwords";
import { accounts } from "../schema/accounts";
import { linkWrites } from "../discord/change-link";
import { issueWrite } from "../licences/keys/issue";
import { keyHash, randomKey } from "../licences/keys/keys";
import { endsRule } from "../licences/entitlement/account-licences";
import { firstRedemption, redeemableLicence } from "../licences/changes/redeem";
import { authorize } from "../permissions";
import { findBlock } from "../blocks/find";
import { linkStateOf } from "../discord/links";
import { changeOfDays, changeOfKey, type LineNote, wholeDays } from "../licences/keys/import";

/** How many commits run at once; they are written to disk together. */
const atOnce = 32;

/**
 * Imports the customers that `validateCustomers` found to be new, one commit each, so that an interrupted
 * import can be repeated with the same file. Nobody knows their passwords; they get in through recovery. Refuses
 * with the line's number if its name or email was taken meanwhile. `confirmed`: the other shop had proof of the mailboxes.
 */
export async function importCustomers(
  ctx: Ctx,
  customers: ImportedCustomer[],
  { confirmed, ...by }: By & { confirmed: boolean },
  onProgress?: (done: number, total: number) => void,
): Promise<void> {
  authorize(by, "customer.import");
  // the hash of a random secret that nobody keeps; one for all, because hashing takes longer than everything else
  const passwordHash = await hashPassword(randomToken(), "operator");
  for (let from = 0; from < customers.length; from += atOnce) {
    const page = customers.slice(from, from + atOnce);
    const ended = await Promise.allSettled(
      page.map((customer) => importOne(ctx, customer, { by, passwordHash, confirmed })),
    );
    const lost = ended.find((one) => one.status === "rejected");
    if (lost) throw lost.reason;
    onProgress?.(from + page.length, customers.length);
  }
}

type Import = { by: By; passwordHash: string; confirmed: boolean };

async function importOne(
  ctx: Ctx,
  customer: ImportedCustomer,
  { by, passwordHash, confirmed }: Import,
): Promise<void> {
  const { line, username, email, timezone, discordUserId } = customer;
  const id = newId();
  try {
    await commit(ctx.store, [
      ...(confirmed ? removeTypedElsewhere(ctx, email, id) : []),
      ctx.store.db.insert(accounts).values({
        id,
        username,
        usernameKey: username.toLowerCase(),
        email,
        emailKey: addressKey(email),
        emailConfirmedAt: confirmed ? ctx.now() : null,
        passwordHash,
        ...newApiKey(ctx, id).stored,
        timezone,
        createdAt: ctx.now(),
        licenceVersion: customer.licence ? 1 : 0,
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
  const { key, type, days, expiresAt, devices } = customer.licence;
  const known = await heldLicence(ctx, customer);
  const id = known?.id ?? newId();
  const made = { id, key: key ?? randomKey(), type: type || brand.premium.type, days, devices };
  const claimed = known ?? { id, keyHash: keyHash(ctx, made.key), days, paidUntil: null, livemode: null };
  return [
    ...(known ? [] : [issueWrite(ctx, made)]),
    ...firstRedemption(ctx, claimed, { accountId, fixedEndsAt: expiresAt }),
  ];
}

/** A customer in a file, before it is validated. */
export type TypedCustomer = {
  /** The customer's line in the file. */
  line: number;
  /** Null: one is made from the email. */
  username: string | null;
  email: string;
  timezone: string;
  /** `isNumber`: it is a number in JSON. */
  discordUserId: { typed: string; isNumber: boolean } | null;
  /**
   * Redeemed at once. A missing `key` is generated, `days: null` is a lifetime, and `expiresAt` overrides `days`, which
   * may be a fraction.
   */
  licence: {
    key: string | null;
    /** The key as written in the file. */
    typedKey: string;
    type: string;
    days: number | null;
    expiresAt: Date | null;
    /** It is for life because its end in the file is the last that a date can hold. */
    isNever: boolean;
    devices: number;
  } | null;
};

type ImportedCustomer = Omit<TypedCustomer, "username" | "discordUserId"> & {
  username: string;
  discordUserId: string | null;
};

type ValidatedCustomers = {
  fresh: ImportedCustomer[];
  /** How many already have an account with the same name and email; the import leaves these as they are. */
  known: number;
  /** How many licences of `fresh` are over already. */
  over: number;
  refused: LineNote[];
  /** Imported, but not as written in the file. */
  changed: LineNote[];
  /** Their Discord user is left out. */
  unlinked: LineNote[];
};

type ValidateOptions = { linkAnyway: boolean; onProgress?: (done: number, total: number) => void };

/** Which of the customers can be imported and as what, and why the others can't. Changes nothing. */
export async function validateCustomers(
  ctx: Ctx,
  customers: TypedCustomer[],
  { linkAnyway, onProgress }: ValidateOptions,
): Promise<ValidatedCustomers> {
  const result: ValidatedCustomers = { fresh: [], known: 0, over: 0, refused: [], changed: [], unlinked: [] };
  const seen = new Map<string, number>();
  const names = nameMaker(ctx, customers);
  for (const [at, typed] of customers.entries()) {
    await validateOne(typed);
    onProgress?.(at + 1, customers.length);
  }
  return result;

  async function validateOne(typed: TypedCustomer): Promise<void> {
    const { line, licence } = typed;
    const { discordUserId, doubt } = linkable(typed.discordUserId, { linkAnyway, now: ctx.now() });
    const terms = licence && { ...licence, days: wholeDays(licence.days) };
    const found = { ...typed, discordUserId, licence: terms };
    const obstacle = twiceIn(seen, found) ?? (await obstacleTo(ctx, found));
    if (typeof obstacle === "string") {
      result.refused.push({ line, sentence: obstacle });
      return;
    }
    for (const { name } of valuesOf(found)) seen.set(name, line);
    if (obstacle === isKnown) {
      result.known += 1;
      return;
    }
    const username = found.username ?? (await names.nameFor(found.email));
    result.fresh.push({ ...found, username });
    if (terms?.expiresAt && terms.expiresAt <= ctx.now()) result.over += 1;
    if (doubt) result.unlinked.push({ line, sentence: `discord_id ${doubt}, so it is not linked` });
    const changes = [
      found.username === null ? `its user name is made from the email: ${username}` : null,
      licence?.key ? changeOfKey(licence.typedKey, licence.key) : null,
      changeOfDays(licence?.days ?? null),
      licence?.isNever ? "its end in the year 9999 is read as a lifetime" : null,
    ].filter((change) => change !== null);
    if (changes.length > 0) result.changed.push({ line, sentence: changes.join(", and ") });
  }
}

type FoundCustomer = Omit<ImportedCustomer, "username"> & Pick<TypedCustomer, "username">;

/** What no two customers share, by names that are equal for equal values. */
function valuesOf({
  username,
  email,
  discordUserId,
  licence,
}: FoundCustomer): { field: string; name: string }[] {
  const own = { username, email, key: licence?.key, discord_id: discordUserId };
  return Object.entries(own).flatMap(([field, value]) =>
    value ? [{ field, name: `${field} ${field === "email" ? addressKey(value) : value.toLowerCase()}` }] : [],
  );
}

function twiceIn(seen: Map<string, number>, customer: FoundCustomer): string | null {
  const twice = valuesOf(customer).find(({ name }) => seen.has(name));
  return twice ? `its ${twice.field} is on line ${seen.get(twice.name)} as well` : null;
}

const isKnown = Symbol("an account here already");

async function obstacleTo(ctx: Ctx, customer: FoundCustomer): Promise<string | typeof isKnown | null> {
  const usernameKey = customer.username?.toLowerCase() ?? null;
  const emailKey = addressKey(customer.email);
  const sameEmail = eq(accounts.emailKey, emailKey);
  const held = await ctx.store.db
    .select()
    .from(accounts)
    .where(usernameKey === null ? sameEmail : or(eq(accounts.usernameKey, usernameKey), sameEmail));
  // a name that was made differs from one made for the same file later
  if (held.some((one) => one.emailKey === emailKey && (usernameKey ?? one.usernameKey) === one.usernameKey)) {
    return isKnown;
  }
  if (held.some((one) => one.usernameKey === usernameKey)) {
    return "its username belongs to an account here with another email";
  }
  if (held.some((one) => one.emailConfirmedAt !== null)) {
    return "its email belongs to an account here with another username";
  }
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

/** The licence of the customer's key, if the shop has it already. Refuses like a redemption. */
async function heldLicence(ctx: Ctx, { licence }: Pick<ImportedCustomer, "licence">) {
  if (!licence?.key) return null;
  try {
    return await redeemableLicence(ctx, licence.key);
  } catch (error) {
    const code = refusalIn(error)?.code;
    if (code === "license_unknown" || code === "license_malformed") return null;
    throw error;
  }
}

type DoubtfulLink = { discordUserId: string | null; doubt: string | null };

/** The user that a typed id names. A program may have rounded it to the id of a stranger, unless the operator knows better. */
function linkable(
  id: TypedCustomer["discordUserId"],
  { linkAnyway, now }: { linkAnyway: boolean; now: Date },
): DoubtfulLink {
  if (id === null) return { discordUserId: null, doubt: null };
  const { typed, isNumber } = id;
  if (!canBeAnId(typed, now)) return doubted("is no Discord user id");
  if (linkAnyway) return { discordUserId: typed, doubt: null };
  if (isNumber) return doubted("is a number, which programs round");
  if (isRounded(typed)) return doubted("ends in zeros, as ids that a spreadsheet rounded do");
  return { discordUserId: typed, doubt: null };
}

const doubted = (doubt: string): DoubtfulLink => ({ discordUserId: null, doubt });

/** An id holds when it was made: https://discord.com/developers/docs/reference#snowflakes */
function canBeAnId(typed: string, now: Date): boolean {
  if (!discordId.test(typed) || typed.startsWith("0")) return false;
  const madeAt = Number(BigInt(typed) >> 22n) + Date.UTC(2015, 0, 1);
  return madeAt <= now.getTime() + minute;
}

/** Spreadsheets keep 15 digits. */
const isRounded = (typed: string) => typed.endsWith("000") || /^\d{15}00$/.test(typed);

/** Makes user names that neither the file nor the shop has. */
function nameMaker(ctx: Ctx, customers: TypedCustomer[]) {
  const taken = new Set(customers.flatMap(({ username }) => username?.toLowerCase() ?? []));
  const tries = new Map<string, number>();
  return {
    async nameFor(email: string): Promise<string> {
      const stem = stemOf(email);
      for (;;) {
        const nth = (tries.get(stem.toLowerCase()) ?? 0) + 1;
        tries.set(stem.toLowerCase(), nth);
        const name = nth === 1 ? stem : `${stem}-${nth}`;
        if (taken.has(name.toLowerCase())) continue;
        const [other] = await ctx.store.db
          .select({ id: accounts.id })
          .from(accounts)
          .where(eq(accounts.usernameKey, name.toLowerCase()));
        if (other) continue;
        taken.add(name.toLowerCase());
        return name;
      }
    },
  };
}

/** Short enough for a number after it. */
const longestStem = 25;

/** A user name from an address, without what follows a plus and without letters that no user name has. */
function stemOf(email: string): string {
  const [local = ""] = email.slice(0, email.lastIndexOf("@")).split("+");
  const plain = local
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^A-Za-z0-9_.-]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "")
    .slice(0, longestStem);
  return usernameRule.test(plain) ? plain : ["customer", plain].filter((part) => part !== "").join("-");
}
