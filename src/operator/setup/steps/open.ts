import { ConfigError, isLiveKey } from "@/core/settings/config";
import type { Ctx } from "@/core/database/context";
import { openStore } from "@/core/database/database";
import { knowsSecret } from "@/core/database/known-secret";
import { openSecrets, rootKeysOf } from "@/core/database/open-secrets";
import { restoredCopy } from "@/core/database/restored-copy";
import { expectNoShopBefore } from "@/domain/system/earlier-shop";
import { expectReal } from "@/domain/system/simulated";
import { createLog, reasonOf } from "@/core/log/log";
import { createBackupPlace } from "@/gateways/storage/backup-place";
import { hasSecret } from "./secrets";
import { configSoFar, given, type Setup } from "./state";

/**
 * Opens the shop's database as a first start does, and closes it. SECRET_KEY is known by now. Creates no database before
 * a key of Stripe's is known, in the settings or just typed, because Stripe may know an earlier shop.
 */
export async function withDatabase<T>(
  setup: Setup,
  act: (ctx: Ctx) => Promise<T>,
  typed: string | null = null,
): Promise<T> {
  const config = configSoFar(setup);
  const keys = await rootKeysOf(config);
  const log = createLog("warn", (line) => console.error(line));
  const secretKeys = new Set([typed ?? "", given(setup, "STRIPE_SECRET_KEY")].filter((key) => key !== ""));
  const unanswered =
    "Whether there was a shop before is not known: Stripe, or the place of the backups, doesn't answer.";
  const begin = async () => {
    const { stripe, sales } = config;
    if (!stripe || secretKeys.size === 0) throw new ConfigError("Set up Stripe first: its keys are missing.");
    const { createStripeGateway } = await import("@/gateways/stripe/gateway");
    for (const secretKey of secretKeys) {
      const checkout = createStripeGateway({ ...stripe, secretKey }, sales, config.publicUrl);
      const place = createBackupPlace(config.backups.place);
      const quiet = createLog("warn", () => setup.ui.untested(unanswered));
      await expectNoShopBefore({ config, keys, place, checkout, log: quiet }).catch(
        async (error: unknown) => {
          const asks = `${error instanceof ConfigError ? error.message : reasonOf(error)} Begin another shop here?`;
          const name = "BEGIN_ANOTHER";
          if (!(await setup.ui.confirm({ name, asks, proposal: false }))) throw error;
        },
      );
    }
  };
  const store = await openStore(config.database, { begin });
  try {
    const secrets = await openSecrets(store, keys, { mayBegin: false });
    const { timeZone, sales } = config;
    const livemode = isLiveKey(typed ?? config.stripe?.secretKey ?? "");
    const { currency } = sales;
    const ctx: Ctx = { store, secrets, log, livemode, timeZone, currency, now: () => new Date() };
    await expectReal(ctx);
    return await act(ctx);
  } finally {
    store.close();
  }
}

/** What the database says, if there is one that knows the shop's secret; otherwise null. Creates none. */
export async function fromDatabase<T>(setup: Setup, act: (ctx: Ctx) => Promise<T>): Promise<T | null> {
  return hasSecret(setup) && (await knowsSecret(configSoFar(setup))) ? withDatabase(setup, act) : null;
}

export const isCopy = async (setup: Setup): Promise<boolean> =>
  (await fromDatabase(setup, restoredCopy)) !== null;
