import { isLiveKey } from "@/core/settings/config";
import type { Ctx } from "@/core/database/context";
import { openStore } from "@/core/database/database";
import { openSecrets, rootKeysOf } from "@/core/database/open-secrets";
import { expectReal } from "@/domain/system/simulated";
import { createLog } from "@/core/log/log";
import { expectNoShopBefore } from "../first-start";
import { configSoFar, type Setup } from "./state";

/** Opens the shop's database as a first start does, and closes it. SECRET_KEY is known by now. */
export async function withDatabase<T>(setup: Setup, act: (ctx: Ctx) => Promise<T>): Promise<T> {
  const config = configSoFar(setup);
  const keys = await rootKeysOf(config);
  const log = createLog("warn", (line) => console.error(line));
  const begin = () => expectNoShopBefore({ config, keys, checkout: null, log });
  const store = await openStore(config.database, { begin });
  try {
    const secrets = await openSecrets(store, keys, { mayBegin: false });
    const { timeZone, sales } = config;
    const livemode = config.stripe !== null && isLiveKey(config.stripe.secretKey);
    const { currency } = sales;
    const ctx: Ctx = { store, secrets, log, livemode, timeZone, currency, now: () => new Date() };
    await expectReal(ctx);
    return await act(ctx);
  } finally {
    store.close();
  }
}
