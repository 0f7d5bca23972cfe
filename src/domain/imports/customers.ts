import { eq, inArray, or } from "drizzle-orm";
import { addressKey } from "@/contract/vocabulary/addresses";
import { minute } from "@/contract/vocabulary/time";
import { discordId } from "@/contract/wire/discord";
import { refusalIn } from "@/core/base/refusal";
import { yieldToEventLoop } from "@/core/base/yield";
import { record } from "@/core/database/audit";
import { isConflict, isDuplicate, retryOnConflict, type Write } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { expectFreeEmail, removeTypedElsewhere } from "../accounts/addresses/free-email";
import { newApiKey } from "../accounts/sessions/api-key";
import { findBlock, storedKey } from "../blocks/find";
import { linkWrites } from "../discord/change-link";
import { linkOfUser } from "../discord/links";
import { firstRedemption, redeemableLicence } from "../licences/changes/redeem";
import { endsRule } from "../licences/entitlement/account-licences";
import { issueNewWrites } from "../licences/keys/issue";
import { keyForms, keyHash, keyHashes, randomKey } from "../licences/keys/keys";
import { accounts, formerEmails } from "../schema/accounts";
import { blocks } from "../schema/blocks";
import { links } from "../schema/discord";
import { licences } from "../schema/licences";
import { changeOfDays, changeOfKey, wholeDays } from "./keys";
import { hasName, nameMaker } from "./made-names";
import { type Done, finishRow, type Importing, passedOver, type Planned, sentenceIn } from "./planned";

/** A customer as they are imported. */
export type CustomerRow = Omit<TypedCustomer, "line" | "username" | "discordUserId"> & {
  username: string;
  /** The username is made from the email. */
  isMade: boolean;
  discordUserId: string | null;
  /** Whether the other shop had proof of the mailbox. */
  confirmed: boolean;
  /** How they differ from the file, apart from the username. */
  note: string | null;
};

type CustomerImport = Importing & { passwordHash: string };

/**
 * Imports a customer, unless the shop has them by now. Nobody knows their password; they get in through recovery.
 */
export const importCustomer = (ctx: Ctx, row: CustomerRow, importing: CustomerImport): Promise<Done> =>
  retryOnConflict(
    async () => {
      const obstacle = await obstacleTo(ctx, { ...row, username: row.isMade ? null : row.username });
      if (obstacle !== null) return finishRow(ctx, undone(obstacle), [], importing);
      const isTaken = row.isMade && (await hasName(ctx, row.username));
      const username = isTaken ? await nameMaker(ctx, []).nameFor(row.email) : row.username;
      const id = newId();
      const note = [row.isMade ? nameIsMade : null, row.note].filter((part) => part !== null).join(", and ");
      const done: Done = { outcome: note === "" ? "new" : "changed", note: note || null, id };
      return finishRow(ctx, done, await accountWrites(ctx, { ...row, username, id }, importing), importing);
    },
    (error) => isConflict(error) || isDuplicate(error, ""),
  );

const nameIsMade = "its user name is made from the email";

const customerIsHere = "the customer has an account here already";
const undone = (obstacle: NonNullable<Obstacle>): Done =>
  obstacle === isKnown
    ? { outcome: "left_out", note: customerIsHere, id: "" }
    : { outcome: "refused", note: obstacle, id: "" };

async function accountWrites(
  ctx: Ctx,
  customer: CustomerRow & { id: string },
  { by, passwordHash }: CustomerImport,
): Promise<Write[]> {
  const { id, username, email, timezone, discordUserId, confirmed } = customer;
  return [
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
  ];
}

async function licenceWrites(ctx: Ctx, customer: CustomerRow, accountId: string): Promise<Write[]> {
  if (!customer.licence) return [];
  const { key, level, days, expiresAt, devices } = customer.licence;
  const known = await heldLicence(ctx, customer);
  const id = known?.id ?? newId();
  const made = { id, key: key ?? randomKey(), level, days, devices };
  const claimed = known ?? {
    id,
    keyHash: keyHash(ctx, made.key),
    chain: level,
    days,
    paidUntil: null,
    livemode: null,
  };
  return [
    ...(known ? [] : issueNewWrites(ctx, made)),
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
    level: string;
    days: number | null;
    expiresAt: Date | null;
    /** It is for life because its end in the file is the last that a date can hold. */
    isNever: boolean;
    devices: number;
  } | null;
};

/** `line`: where it stands in the file; `username`: null, if one is made. */
type FoundCustomer = Omit<CustomerRow, "username" | "isMade" | "confirmed" | "note"> & {
  username: string | null;
};

type PlanOptions = {
  linkAnyway: boolean;
  confirmed: boolean;
  onProgress?: ((done: number, total: number) => void) | undefined;
};

/** Customers that are looked up together. */
const atOnce = 100;

/** What would become of each customer in a file; the shop leaves those that it has as they are. */
export async function planCustomers(
  ctx: Ctx,
  customers: TypedCustomer[],
  { linkAnyway, confirmed, onProgress }: PlanOptions,
): Promise<Planned<CustomerRow>[]> {
  const planned: Planned<CustomerRow>[] = [];
  const seen = new Map<string, number>();
  const names = nameMaker(ctx, customers);
  for (let from = 0; from < customers.length; from += atOnce) {
    const page = customers.slice(from, from + atOnce).map(foundIn);
    const isKnownHere = await somehowKnown(
      ctx,
      page.map(({ found }) => found),
    );
    const obstacles = await Promise.all(
      page.map(async ({ found }) => (isKnownHere(found) ? obstacleTo(ctx, found) : null)),
    );
    for (const [at, one] of page.entries()) planned.push(await planOne(one, obstacles[at] ?? null));
    onProgress?.(planned.length, customers.length);
    await yieldToEventLoop();
  }
  return planned;

  function foundIn({ line, ...typed }: TypedCustomer) {
    const { discordUserId, doubt } = linkable(typed.discordUserId, { linkAnyway, now: ctx.now() });
    const licence = typed.licence && { ...typed.licence, days: wholeDays(typed.licence.days) };
    return { line, doubt, days: typed.licence?.days ?? null, found: { ...typed, discordUserId, licence } };
  }

  async function planOne(
    { line, doubt, days, found }: ReturnType<typeof foundIn>,
    hindered: Obstacle,
  ): Promise<Planned<CustomerRow>> {
    const { licence } = found;
    const name = found.username ?? found.email;
    const obstacle = twiceIn(seen, found) ?? hindered;
    if (typeof obstacle === "string") return { ...passedOver(line, "refused", obstacle), name };
    for (const { name: value } of valuesOf(found)) seen.set(value, line);
    if (obstacle === isKnown) return { ...passedOver(line, "left_out", customerIsHere), name };
    const isMade = found.username === null;
    const username = found.username ?? (await names.nameFor(found.email));
    const changes = [
      licence?.key ? changeOfKey(licence.typedKey, licence.key) : null,
      changeOfDays(days),
      licence?.isNever ? "its end in the year 9999 is read as a lifetime" : null,
    ].filter((change) => change !== null);
    const unlinked = doubt
      ? [{ kind: "unlinked" as const, sentence: `discord_id ${doubt}, so it is not linked` }]
      : [];
    const notes = [...changes.map((sentence) => ({ kind: "changed" as const, sentence })), ...unlinked];
    const row = { ...found, username, isMade, confirmed, note: sentenceIn(notes) };
    const all = isMade
      ? [{ kind: "changed" as const, sentence: `${nameIsMade}: ${username}` }, ...notes]
      : notes;
    return { line, outcome: all.length > 0 ? "changed" : "new", notes: all, name, row };
  }
}

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

/** Which of a page the shop knows anything of, in six queries: nothing can hinder the others. */
async function somehowKnown(ctx: Ctx, page: FoundCustomer[]): Promise<(customer: FoundCustomer) => boolean> {
  const { db } = ctx.store;
  const marks = page.map((customer) => marksOf(ctx, customer));
  const of = (kind: keyof Marks) => marks.flatMap((one) => one[kind]);
  const found = await db.batch([
    db
      .select({ mark: accounts.emailKey })
      .from(accounts)
      .where(inArray(accounts.emailKey, of("emails"))),
    db
      .select({ mark: accounts.usernameKey })
      .from(accounts)
      .where(inArray(accounts.usernameKey, of("names"))),
    db
      .select({ mark: formerEmails.emailKey })
      .from(formerEmails)
      .where(inArray(formerEmails.emailKey, of("emails"))),
    db
      .select({ mark: links.discordUserId })
      .from(links)
      .where(inArray(links.discordUserId, of("users"))),
    db
      .select({ mark: blocks.key })
      .from(blocks)
      .where(inArray(blocks.key, of("blocks"))),
    db
      .select({ mark: licences.keyHash })
      .from(licences)
      .where(inArray(licences.keyHash, of("hashes"))),
  ]);
  const known = new Set(found.flat().map(({ mark }) => mark));
  return (customer) =>
    Object.values(marksOf(ctx, customer)).some((some) => some.some((one) => known.has(one)));
}

type Marks = Record<"emails" | "names" | "users" | "blocks" | "hashes", string[]>;

const marksOf = (ctx: Ctx, { email, username, discordUserId, licence }: FoundCustomer): Marks => ({
  emails: [addressKey(email)],
  names: username === null ? [] : [username.toLowerCase()],
  users: discordUserId === null ? [] : [discordUserId],
  blocks: [
    storedKey("email", email),
    ...(discordUserId === null ? [] : [storedKey("discord", discordUserId)]),
  ],
  hashes: licence?.key ? keyForms(licence.key).flatMap((form) => keyHashes(ctx, form)) : [],
});

type Obstacle = string | typeof isKnown | null;

async function obstacleTo(ctx: Ctx, customer: FoundCustomer): Promise<Obstacle> {
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
  if (discordUserId && (await linkOfUser(ctx, discordUserId))) {
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
async function heldLicence(ctx: Ctx, { licence }: Pick<CustomerRow, "licence">) {
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
