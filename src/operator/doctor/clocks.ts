import { minute } from "@/contract/vocabulary/time";
import { clockDifference, maxClockDifference } from "@/core/jobs/clock-watch";
import type { Finding } from "@/domain/system/system";
import type { OpenShop } from "../terminal/command-line";
import { warning, well, wrong } from "./finding";

/** Stripe's signatures are refused after five minutes, and codes of two-factor authentication after half of one. */
const gravelyApart = minute;

/** Compares this machine's clock with Stripe's and, if there is one, the database server's. */
export async function clocks({ ctx, config }: OpenShop): Promise<Finding[]> {
  const findings = await Promise.all([
    ctx.store.remote
      ? clockDifference(ctx).then((ahead) => clockFinding("the database server's", ahead))
      : [],
    config.stripe ? stripesClock(config.stripe.apiUrl, ctx.now) : [],
  ]);
  return findings.flat();
}

/** Silent if Stripe can't be reached; another check reports that. */
async function stripesClock(apiUrl: URL | null, now: () => Date): Promise<Finding[]> {
  const { stripeClockDifference } = await import("@/gateways/stripe/clock");
  const ahead = await stripeClockDifference(apiUrl, now);
  return ahead === null ? [] : [clockFinding("Stripe's", ahead)];
}

function clockFinding(whose: string, ahead: number): Finding {
  if (Math.abs(ahead) <= maxClockDifference) return well("clock", `It agrees with ${whose}.`);
  const seconds = Math.round(Math.abs(ahead) / 1000);
  const sentence = `This machine's clock is ${seconds} seconds ${ahead > 0 ? "behind" : "ahead of"} ${whose}: use NTP on both.`;
  return (Math.abs(ahead) > gravelyApart ? wrong : warning)("clock", sentence);
}
