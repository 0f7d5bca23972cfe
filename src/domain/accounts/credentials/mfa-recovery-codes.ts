import { randomInt } from "node:crypto";
import { and, eq, isNull } from "drizzle-orm";
import { typedCode } from "@/contract/vocabulary/typed-codes";
import type { Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { mfaRecoveryCodes } from "../../schema/accounts";

const howMany = 10;
/** Crockford's base32, as in licence keys: no letters that look alike. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const symbols = 10;

/** Ten new codes of 50 bits, as `XXXXX-XXXXX`. */
export const newRecoveryCodes = () => Array.from({ length: howMany }, newCode);

const newCode = () => {
  const code = Array.from({ length: symbols }, () => alphabet[randomInt(alphabet.length)]).join("");
  return `${code.slice(0, symbols / 2)}-${code.slice(symbols / 2)}`;
};

/** The writes that replace all earlier codes with these; only hashes are stored. */
export const replaceRecoveryCodes = (ctx: Ctx, accountId: string, codes: string[]): Write[] => [
  forgetRecoveryCodes(ctx, accountId),
  ctx.store.db.insert(mfaRecoveryCodes).values(
    codes.map((code) => ({
      accountId,
      codeHash: ctx.secrets.fingerprint("recovery", textOf(accountId, code)),
    })),
  ),
];

export const forgetRecoveryCodes = (ctx: Ctx, accountId: string): Write =>
  ctx.store.db.delete(mfaRecoveryCodes).where(eq(mfaRecoveryCodes.accountId, accountId));

/** The hash of an unused code and how many would be left after it; null if the code is wrong or used. */
export async function findRecoveryCode(ctx: Ctx, accountId: string, typed: string) {
  const unused = await ctx.store.db
    .select({ codeHash: mfaRecoveryCodes.codeHash })
    .from(mfaRecoveryCodes)
    .where(and(eq(mfaRecoveryCodes.accountId, accountId), isNull(mfaRecoveryCodes.usedAt)));
  const hashes = ctx.secrets.fingerprints("recovery", textOf(accountId, typed));
  const found = unused.find(({ codeHash }) => hashes.includes(codeHash));
  return found ? { codeHash: found.codeHash, left: unused.length - 1 } : null;
}

/** Uses up a code. Must be followed by `mustHaveChanged`: another request may have used it first. */
export const useRecoveryCode = (ctx: Ctx, accountId: string, codeHash: string): Write =>
  ctx.store.db
    .update(mfaRecoveryCodes)
    .set({ usedAt: ctx.now() })
    .where(
      and(
        eq(mfaRecoveryCodes.accountId, accountId),
        eq(mfaRecoveryCodes.codeHash, codeHash),
        isNull(mfaRecoveryCodes.usedAt),
      ),
    );

/** The hashed text of a code, however the owner typed it. */
function textOf(accountId: string, typed: string): string {
  const code = typedCode(typed).replace(/O/g, "0").replace(/[IL]/g, "1");
  return `${accountId}:${code}`;
}
