import { chmod, mkdir } from "node:fs/promises";
import { isLiveKey, type ShopConfig } from "@/core/settings/config";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { openStore } from "@/core/database/database";
import { inFolder } from "@/core/database/disk-fault";
import { openSecrets, type RootKeys, rootKeysOf } from "@/core/database/open-secrets";
import { type RestoredCopy, restoredCopy } from "@/core/database/restored-copy";
import { beginSelling } from "@/domain/offers/first-offer";
import { expectFixed } from "@/domain/offers/fixed";
import { keepLegalTexts } from "@/domain/payments/checkout/legal-texts";
import type { CheckoutGateway } from "@/domain/payments/port/stripe";
import { expectNoShopBefore } from "@/domain/system/earlier-shop";
import { beginDemo, expectReal, expectRealWith, type Simulated } from "@/domain/system/simulated";
import { createBackupPlace } from "@/gateways/storage/backup-place";

type OpenOptions = Pick<Ctx, "log" | "now"> & {
  checkout: CheckoutGateway;
  isNew: boolean;
  simulated: Simulated | null;
};

/** Opens the shop's database and secrets, and makes the first writes of a start. */
export async function openShop(
  config: ShopConfig,
  { checkout, log, now, isNew, simulated }: OpenOptions,
): Promise<{ ctx: Ctx; keys: RootKeys; copy: RestoredCopy | null }> {
  await privateFolder(config.dataDir);
  const keys = await rootKeysOf(config);
  const begin = async () => {
    const place = createBackupPlace(config.backups.place);
    if (!isNew) await expectNoShopBefore({ config, keys, place, checkout, log });
  };
  const store = await openStore(config.database, { sole: true, begin });
  try {
    const secrets = await openSecrets(store, keys, { mayBegin: true, now: now() });
    const livemode = isLiveKey(config.stripe.secretKey);
    const { currency } = config.sales;
    const { timeZone } = config;
    const ctx: Ctx = { store, secrets, now, livemode, currency, timeZone, log };
    if (simulated) await beginDemo(ctx, simulated);
    if (config.production) await expectReal(ctx);
    await expectRealWith(config, ctx);
    await expectFixed(ctx);
    await commit(store, keepLegalTexts(ctx));
    await beginSelling(ctx);
    return { ctx, keys, copy: await restoredCopy(ctx) };
  } catch (error) {
    store.close();
    throw error;
  }
}

/** Makes the data private to this user. */
const privateFolder = (folder: string): Promise<void> =>
  inFolder(folder, async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // we can't change another user's folder, which is theirs to protect
    await chmod(folder, 0o700).catch(() => {});
  });
