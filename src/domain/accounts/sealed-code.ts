import { addressKey } from "@/contract/addresses";
import type { Ctx } from "@/core/context";
import type { recoveries } from "../schema/accounts";

/** How long a recovery code is valid. */
export const recoveryMinutes = 10;

/**
 * The hashes under which an address may be stored: keyed hashes of its comparison key, under this secret and the one
 * before.
 */
export const addressHashes = (ctx: Ctx, email: string) =>
  ctx.secrets.fingerprints("address", addressKey(email));

type Sealed = Pick<typeof recoveries.$inferSelect, "id" | "codeSealed">;

export const openCode = (ctx: Ctx, { id, codeSealed }: Sealed): string =>
  ctx.secrets.open(codeSealed, recoveryContext(id));

/** Binds a sealed code to its row. */
export const recoveryContext = (id: string) => `recovery:${id}`;
