import { createMiddleware } from "hono/factory";
import type { Context } from "hono";
import { Refusal } from "@/core/refusal";
import { tokenHash } from "@/core/secrets";
import type { Holder } from "@/domain/application/holder";
import type { Env, Shop } from "./shop";

/** The token of an `Authorization: Bearer …` header (RFC 6750 §2.1), or null. */
export const bearerToken = (c: Context): string | null =>
  /^Bearer +([\w~+/.-]{1,256}=*) *$/i.exec(c.req.header("authorization") ?? "")?.[1] ?? null;

type HolderEnv = Env & { Variables: { holder: Holder } };

/** Lets only the holder of an account's token pass, and counts the call for the token. */
export const holderOnly = (shop: Shop) =>
  createMiddleware<HolderEnv>(async (c, next) => {
    c.set("holder", await expectHolder(c, shop));
    await next();
  });

/** The account that the request's token belongs to; refuses with `unauthenticated` when it is nobody's. */
export async function expectHolder(c: Context, shop: Shop): Promise<Holder> {
  const token = bearerToken(c);
  if (token) shop.memory.spend(shop.limits.app, tokenHash(token));
  const holder = token ? await shop.holderOf(token) : null;
  if (holder) return holder;
  shop.memory.spend(shop.limits.other, c.get("address") as string);
  throw new Refusal("unauthenticated");
}
