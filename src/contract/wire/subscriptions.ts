import { z } from "zod";
import { dashboardPath } from "../vocabulary/page-marks";
import { ownSubscriptionStatuses } from "../vocabulary/statuses";
import { instant } from "./envelope";
import { interval } from "./offers";

export const card = z.object({ brand: z.string(), last4: z.string() });

export const subscription = z.object({
  id: z.string(),
  offer: z.string().describe("The id of the offer that it runs under now"),
  status: z
    .enum(ownSubscriptionStatuses)
    .describe(
      "pending: the first payment is on its way. ending: cancelled, and runs until `ends_at`. past_due: a renewal failed",
    ),
  renews_at: instant.nullable().describe("The next charge; null: none is due"),
  ends_at: instant.nullable().describe("When it ends, or ended; null: it continues"),
  changes_at: instant.nullable(),
  changes_to: z.string().nullable().describe("The id of the offer from `changes_at` on; null: none"),
  amount: z.int().nullable().describe("The next charge, with codes and tax, minor units; null: none is due"),
  plus_tax: z.literal(true).optional().describe("Stripe didn't say the amount: tax comes on top"),
  currency: z.string(),
  interval,
  card: card.nullable(),
  license_key: z.string().nullable(),
});
export type Subscription = z.infer<typeof subscription>;

/** What Stripe's page opens with; without it, everything that it can do. */
const portalFlows = ["card", "cancel", "switch"] as const;

export type PortalFlow = (typeof portalFlows)[number];

const backTo = z
  .string()
  .max(200)
  .regex(dashboardPath, "must be a path of the dashboard")
  .default("/dashboard/license");

export const checkBody = z.object({ id: z.string().max(64) });

export const portalBody = z.object({
  id: z.string().max(64),
  flow: z.enum(portalFlows).optional(),
  return_to: backTo,
});

export const dropBody = z.object({ id: z.string().max(64) });

export type PortalBody = z.input<typeof portalBody>;

export const portal = z.object({
  url: z.string().describe("The address of Stripe's page, good for a few minutes"),
});
