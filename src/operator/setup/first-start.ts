import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Config, ConfigError } from "@/core/settings/config";
import { fileOf } from "@/core/settings/storage-location";
import { type Log, reasonOf } from "@/core/log/log";
import type { RootKeys } from "@/core/database/open-secrets";
import { createSecrets } from "@/core/secrets/secrets";
import type { CheckoutGateway } from "@/domain/payments/port/stripe";
import { isSealed } from "@/domain/payments/port/order-terms";
import { createBackupPlace } from "@/gateways/storage/backup-place";

type Orders = Pick<CheckoutGateway, "newestOrders">;
/** `checkout`: null while the shop has no key of Stripe's. */
type FirstStart = { config: Config; keys: RootKeys; checkout: Orders | null; log: Log };

/**
 * Refuses to create a new shop ({@link ConfigError}) if there are traces of an earlier one: its customers would be
 * gone, past buyers would get their emails again, and redeemed keys would be free. Ignores places that don't answer,
 * so that a first start needs no network.
 */
export async function expectNoShopBefore({ config, keys, checkout, log }: FirstStart): Promise<void> {
  const searches = [() => fileBeside(config), () => backupsOf(config), () => ordersAtStripe(keys, checkout)];
  for (const search of searches) {
    const sign = await search().catch((error: unknown) => {
      log.warn("whether there was a shop before could not be asked", { reason: reasonOf(error) });
      return null;
    });
    if (!sign) continue;
    const { url } = config.database;
    throw new ConfigError(
      `The database ${fileOf(url) ?? url} is empty, but ${sign}. Bring the shop here with \`shop move\` or \`shop restore\`, or start once with --new to begin another.`,
    );
  }
}

async function fileBeside({ dataDir, database }: Config): Promise<string | null> {
  const file = join(dataDir, "shop.db");
  return fileOf(database.url) !== file && existsSync(file) ? `${file} holds a shop` : null;
}

async function backupsOf({ backups }: Config): Promise<string | null> {
  const place = createBackupPlace(backups.place);
  return (await place.list()).length > 0 ? `there are backups in ${place.name}` : null;
}

async function ordersAtStripe(
  { secretKey, secretKeyOld }: RootKeys,
  checkout: Orders | null,
): Promise<string | null> {
  if (!checkout) return null;
  const orders = await checkout.newestOrders();
  const roots = [secretKey, ...(secretKeyOld ? [secretKeyOld] : [])];
  const isOurs = roots.some((root) => {
    const secrets = createSecrets(root);
    return orders.some((order) => isSealed({ secrets }, order));
  });
  return isOurs ? "Stripe has orders of this shop" : null;
}
