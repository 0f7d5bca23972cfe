import { createMiddleware } from "hono/factory";
import type { Context } from "hono";
import { Refusal } from "@/core/refusal";
import type { Holder } from "@/domain/application/holder";
import type { Env, Shop } from "./shop";

/** The token of an `Authorization: Bearer …` header (RFC 6750 §2.1), or null. */
export const bearerToken = (c: Context): string | null =>
  /^Bearer +([\w~+/.-]{1,256}=*) *$/i.exec(c.req.header("authorization") ?? "")?.[1] ?? null;

type HolderEnv = Env & { Variables: { holder: Holder } };

/** Lets only the holder of an account's token pass, and counts the call for the account. */
export const holderOnly = (shop: Shop) =>
  createMiddleware<HolderEnv>(async (c, next) => {
    c.set("holder", await expectHolder(c, shop));
    await next();
  });

/**
 * The account that the request's token belongs to; refuses with `unauthenticated` if there is none.
 * Invalid tokens count against the address, and stop being looked up once it has sent too many.
 */
export async function expectHolder(c: Context, shop: Shop): Promise<Holder> {
  const notAFailure = shop.memory.spendByAddress(shop.limits.other, c.get("address") as string);
  const token = bearerToken(c);
  const holder = token ? await shop.holderOf(token) : null;
  if (!holder) throw new Refusal("unauthenticated");
  notAFailure();
  shop.memory.spend(shop.limits.app, holder.accountId);
  return holder;
}
