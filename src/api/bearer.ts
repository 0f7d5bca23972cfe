import { createMiddleware } from "hono/factory";
import type { Context } from "hono";
import { Refusal } from "@/core/base/refusal";
import { inTurn } from "@/core/limits/turns";
import type { TokenOwner } from "@/domain/application/token-owner";
import type { Env, Shop } from "./shop";

/** The token of an `Authorization: Bearer …` header (RFC 6750 §2.1), or null. */
export const bearerToken = (c: Context): string | null =>
  /^Bearer +([\w~+/.-]{1,256}=*) *$/i.exec(c.req.header("authorization") ?? "")?.[1] ?? null;

export const invalidToken = 'Bearer error="invalid_token"';

type ApiKeyEnv = Env & { Variables: { tokenOwner: TokenOwner } };

/** Accepts only requests with an account's token, and counts the call for the account. */
export const requireApiKey = (shop: Shop) =>
  createMiddleware<ApiKeyEnv>(async (c, next) => {
    c.set("tokenOwner", await expectTokenOwner(c, shop));
    await next();
  });

/**
 * The account of the request's token, at the account's turn; refuses with `unauthenticated` if there is none. Invalid
 * tokens count against the address; after too many, no more of its tokens are looked up.
 */
export async function expectTokenOwner(c: Context, shop: Shop): Promise<TokenOwner> {
  const notAFailure = shop.memory.spendByAddress(shop.limits.other, c.get("address") as string);
  const token = bearerToken(c);
  const again = async () => (token ? shop.tokenOwner(token) : null);
  const found = expectOwner(c, token, await again());
  notAFailure();
  shop.memory.spend(shop.limits.app, found.device?.id ?? found.accountId);
  return expectOwner(c, token, await inTurn(shop.ctx, found.accountId, { found, again }));
}

function expectOwner(c: Context, token: string | null, owner: TokenOwner | null): TokenOwner {
  if (owner) return owner;
  // so that clients know to sign in again (RFC 6750 §3.1)
  c.header("WWW-Authenticate", token ? invalidToken : "Bearer");
  throw new Refusal("unauthenticated");
}

/** Lets only requests with a server key pass, and counts the call for the key. Invalid ones count as above. */
export const requireServerKey = (shop: Shop) =>
  createMiddleware<Env>(async (c, next) => {
    const notAFailure = shop.memory.spendByAddress(shop.limits.other, c.get("address"));
    const again = () => shop.serverKey(bearerToken(c));
    const found = await again();
    if (!found) throw new Refusal("server_key_invalid");
    notAFailure();
    shop.memory.spend(shop.limits["server-key"], found.id);
    if (!(await inTurn(shop.ctx, found.id, { found, again }))) throw new Refusal("server_key_invalid");
    await next();
  });
