import { and, eq, ne } from "drizzle-orm";
import { brand } from "@/brand/brand";
import { brandFolder, ownFolder, sampleFolder } from "@/brand/the-brand";
import { mustNotExist, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { factOf } from "@/core/database/key-values";
import { keyValues } from "@/core/database/schema";
import { ConfigError } from "@/core/settings/config";
import { keyPrefixFact } from "../licences/keys/issue";

/**
 * Refuses ({@link ConfigError}) another currency than that of the shop's orders, and another prefix than that of its
 * keys.
 */
export async function expectFixed(ctx: Ctx): Promise<void> {
  await expectCurrency(ctx);
  const prefix = await fixedPrefix(ctx);
  if (prefix !== null && prefix !== brand.keyPrefix && brandFolder() === sampleFolder)
    throw new ConfigError(
      `This shop's keys begin with ${prefix}, and its brand is missing: put your copy into ${ownFolder()}, or run shop brand import.`,
    );
  if (prefix !== null && prefix !== brand.keyPrefix)
    throw new ConfigError(
      `The brand's key prefix is ${brand.keyPrefix}, but this shop made keys that begin with ${prefix}, which it could no longer read: set the prefix to ${prefix}.`,
    );
}

/** The prefix of the shop's keys; null before its first one. */
export const fixedPrefix = (ctx: Ctx): Promise<string | null> => factOf(ctx, keyPrefixFact);

/** Refuses ({@link ConfigError}) another currency than that of the shop's orders. */
export async function expectCurrency(ctx: Ctx): Promise<void> {
  const currency = await factOf(ctx, currencyFact);
  if (currency !== null && currency !== ctx.currency)
    throw new ConfigError(
      `The setting CURRENCY is ${ctx.currency}, but this shop has orders in ${currency}: set CURRENCY=${currency}, or begin another shop with a database of its own.`,
    );
}

/** Fails the commit of an order in another currency than the shop's first one: another process may sell in that one. */
export function inOneCurrency({ store: { db }, currency }: Ctx): Write {
  const isOther = and(eq(keyValues.name, currencyFact), ne(keyValues.value, currency));
  return mustNotExist(db.select().from(keyValues).where(isOther), "currency_unsupported");
}

/** The name of the fact that holds the currency of the shop's first order. A trigger keeps it with that order. */
const currencyFact = "orders_currency";
