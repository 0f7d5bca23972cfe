import { createSite } from "@/serving/site";
import { sharedSite } from "./shared-site";
import { openStage, type StageOptions } from "./stage";

/** The stage with the shop's pages, as a browser sees it. */
export const openShop = (options?: StageOptions) => openStage(inBrowser(options));

/** What a stage needs for a browser; all browser stories share one build of the site. */
export const inBrowser = (options: StageOptions = {}): StageOptions => ({
  ...options,
  // a browser sends no X-Forwarded-For
  env: { TRUSTED_PROXIES: "0", ...options.env },
  pages: (publicUrl, offers) =>
    createSite({ publicUrl, offers, currency: options.env?.["CURRENCY"] ?? "usd", cacheDir: sharedSite }),
});
