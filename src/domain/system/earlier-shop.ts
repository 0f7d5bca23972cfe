import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Config, ConfigError } from "@/core/settings/config";
import { fileOf } from "@/core/settings/storage-location";
import { type Log, reasonOf } from "@/core/log/log";
import type { RootKeys } from "@/core/database/open-secrets";
import { createSecrets } from "@/core/secrets/secrets";
import type { BackupPlace } from "../backups/place";
import { isSealed } from "../payments/port/order-terms";
import type { CheckoutGateway } from "../payments/port/stripe";

type Orders = Pick<CheckoutGateway, "newestOrders">;
type FirstStart = { config: Config; keys: RootKeys; place: BackupPlace; checkout: Orders; log: Log };

/**
 * Refuses to create a new shop ({@link ConfigError}) if there are traces of an earlier one: its customers would be
 * gone, past buyers would get their emails again, and redeemed keys would be free. Ignores places that don't answer,
 * so that a first start needs no network.
 */
export async function expectNoShopBefore({ config, keys, place, checkout, log }: FirstStart): Promise<void> {
  const searches = [() => fileBeside(config), () => backupsIn(place), () => ordersAtStripe(keys, checkout)];
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

const backupsIn = async (place: BackupPlace): Promise<string | null> =>
  (await place.list()).length > 0 ? `there are backups in ${place.name}` : null;

async function ordersAtStripe(
  { secretKey, secretKeyOld }: RootKeys,
  checkout: Orders,
): Promise<string | null> {
  const orders = await checkout.newestOrders();
  const roots = [secretKey, ...(secretKeyOld ? [secretKeyOld] : [])];
  const isOurs = roots.some((root) => {
    const secrets = createSecrets(root);
    return orders.some((order) => isSealed({ secrets }, order));
  });
  return isOurs ? "Stripe has orders of this shop" : null;
}
