/**
 * The shop as a process of its own, for stories that kill it: reads the environment as `src/main.ts` does,
 * and says in one line where it listens and a key to register with.
 */
import { readConfig } from "@/core/config";
import { createLog } from "@/core/log";
import { handOut } from "@/demo/cast";
import { startShop } from "@/shop";

const config = readConfig();
const { stripe, mail, discord } = config;
if (!stripe || !mail || !discord) throw new Error("this shop needs Stripe, mail and Discord settled");
const shop = await startShop({ ...config, stripe, mail, discord }, { log: createLog("error") });
console.log(JSON.stringify({ url: shop.url.href, key: await handOut(shop.ctx, null) }));
