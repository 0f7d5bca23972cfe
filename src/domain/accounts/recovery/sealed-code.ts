import { randomInt } from "node:crypto";
import { addressKey } from "@/contract/vocabulary/addresses";
import { minute } from "@/contract/vocabulary/time";
import type { Ctx } from "@/core/database/context";
import type { recoveries } from "../../schema/accounts";
import type { Account } from "../sessions/account";

/** How long a recovery code is valid, for the browser that asked. */
export const recoveryMinutes = 10;

/** How long the link in the same email works, in any browser: until the next may be mailed, three a day for an unconfirmed address. */
export const recoveryLinkHours = (account: Pick<Account, "emailConfirmedAt">): 1 | 24 =>
  account.emailConfirmedAt === null ? 24 : 1;

/**
 * The hashes under which an address may be stored: keyed hashes of its comparison key, under this secret and the one
 * before.
 */
export const addressHashes = (ctx: Ctx, email: string) =>
  ctx.secrets.fingerprints("address", addressKey(email));

type SealedRecovery = Pick<typeof recoveries.$inferSelect, "id" | "codeSealed">;

export const unsealCode = (ctx: Ctx, { id, codeSealed }: SealedRecovery): string =>
  ctx.secrets.open(codeSealed, recoveryContext(id));

/** Six random digits, sealed. */
export const sealedDigits = ({ secrets }: Ctx, context: string): string =>
  secrets.seal(String(randomInt(1_000_000)).padStart(6, "0"), context);

/** The columns of a new recovery code: the sealed code, its expiry, and no tries. */
export const newCodeColumns = (ctx: Ctx, id: string) => ({
  codeSealed: sealedDigits(ctx, recoveryContext(id)),
  expiresAt: codeExpiry(ctx),
  tries: 0,
});

export const codeExpiry = (ctx: Ctx) => new Date(ctx.now().getTime() + recoveryMinutes * minute);

/** Binds a sealed code to its row. */
export const recoveryContext = (id: string) => `recovery:${id}`;
