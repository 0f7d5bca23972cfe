import { randomInt } from "node:crypto";
import { addressKey } from "@/contract/addresses";
import { minute } from "@/contract/time";
import type { Ctx } from "@/core/context";
import type { recoveries } from "../schema/accounts";

/** How long a recovery code is valid, for the browser that asked, and the link beside it, for any. */
export const recoveryMinutes = 10;
export const recoveryLinkMinutes = 60;

/**
 * The hashes under which an address may be stored: keyed hashes of its comparison key, under this secret and the one
 * before.
 */
export const addressHashes = (ctx: Ctx, email: string) =>
  ctx.secrets.fingerprints("address", addressKey(email));

type Sealed = Pick<typeof recoveries.$inferSelect, "id" | "codeSealed">;

export const openCode = (ctx: Ctx, { id, codeSealed }: Sealed): string =>
  ctx.secrets.open(codeSealed, recoveryContext(id));

/** A code for a recovery, until when it is valid, and no tries of it. */
export const freshCode = (ctx: Ctx, id: string) => ({
  codeSealed: ctx.secrets.seal(String(randomInt(1_000_000)).padStart(6, "0"), recoveryContext(id)),
  expiresAt: codeEnd(ctx),
  tries: 0,
});

/** When a code that is given now ends. */
export const codeEnd = (ctx: Ctx) => new Date(ctx.now().getTime() + recoveryMinutes * minute);

/** Binds a sealed code to its row. */
export const recoveryContext = (id: string) => `recovery:${id}`;
