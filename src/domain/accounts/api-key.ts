import type { Ctx } from "@/core/context";
import type { accounts } from "./tables";

/** Binds a sealed token to its account: moved to another row it doesn't open. */
export const apiKeyContext = (accountId: string) => `api-key:${accountId}`;

/** The token by which the desktop application signs in, or null where none is set. */
export const apiKeyOf = (ctx: Ctx, account: Pick<typeof accounts.$inferSelect, "id" | "apiKeySealed">) =>
  account.apiKeySealed === null ? null : ctx.secrets.open(account.apiKeySealed, apiKeyContext(account.id));
