import Stripe from "stripe";
import type { StripeConfig } from "@/core/settings/config";

export type StripeAccess = Pick<StripeConfig, "secretKey" | "apiUrl">;

export const stripeClient = ({ secretKey, apiUrl }: StripeAccess): Stripe =>
  new Stripe(secretKey, {
    telemetry: false,
    timeout: 10_000,
    maxNetworkRetries: 1,
    appInfo: { name: "latchkey" },
    ...(apiUrl ? hostOf(apiUrl) : {}),
  });

const hostOf = (url: URL) => ({
  host: url.hostname,
  port: Number(url.port || (url.protocol === "https:" ? 443 : 80)),
  protocol: url.protocol === "https:" ? ("https" as const) : ("http" as const),
});
