import { brand } from "@/brand/brand";
import { addressKey } from "@/contract/vocabulary/addresses";
import type { By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, type Write } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { Refusal, refusalIn } from "@/core/base/refusal";
import { randomToken } from "@/core/secrets/secrets";
import { newApiKey } from "../accounts/sessions/api-key";
import { strikeTyped } from "../accounts/addresses/free-email";
import { hashPassword } from "../accounts/credentials/passwords";
import { accounts } from "../schema/accounts";
import { linkWrites } from "../discord/change-link";
import { issue } from "../licences/keys/issue";
import { keyHash, randomKey } from "../licences/keys/keys";
import { endsRule } from "../licences/entitlement/holding";
import { firstRedemption } from "../licences/changes/redeem";
import { authorize } from "../permissions";
import { heldLicence, type ImportedCustomer } from "./judge-import";

/** How many commits run at once; they are written to disk together. */
const atOnce = 32;

/**
 * Imports the customers that `judgeCustomers` found to be new, one commit each, so that an interrupted
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
      ...(confirmed ? strikeTyped(ctx, email, id) : []),
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
  const { key, type, days, expiresAt, devices } = customer.licence;
  const known = await heldLicence(ctx, customer);
  const id = known?.id ?? newId();
  const made = { id, key: key ?? randomKey(), type: type || brand.premium.type, days, devices };
  const claimed = known ?? { id, keyHash: keyHash(ctx, made.key), days, paidUntil: null, livemode: null };
  return [
    ...(known ? [] : [issue(ctx, made)]),
    ...firstRedemption(ctx, claimed, { accountId, fixedEndsAt: expiresAt }),
  ];
}
