import { z } from "zod";
import { deliveryStates } from "../../vocabulary/kinds";
import { instant } from "../envelope";

export const webhookRow = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.string()).nullable().describe("null: all, including later ones"),
  created_at: instant,
  failing_since: instant.nullable(),
  disabled_at: instant.nullable(),
  disabled_why: z.string().nullable(),
  former_secret_until: instant.nullable(),
});
export type WebhookRow = z.infer<typeof webhookRow>;

export const webhookDetails = webhookRow.extend({
  waiting: z.int().describe("Deliveries that wait, counted up to 500"),
  recent: z.object({
    counted: z.int().describe("How many of the newest deliveries the other numbers are about"),
    waiting: z.int(),
    delivered: z.int(),
    failed: z.int(),
    cancelled: z.int(),
  }),
});

export type WebhookDetails = z.infer<typeof webhookDetails>;

/** Its secret is shown here and never again. */
export const webhookWithSecret = webhookRow.extend({ secret: z.string() });
export const webhookRotated = webhookWithSecret.extend({
  ended: instant.nullable().describe("Until when the secret before the former one would have been used"),
});

export const deliveryRow = z.object({
  id: z.string(),
  endpoint: z.string(),
  event: z.string(),
  type: z.string(),
  state: z.enum(deliveryStates),
  attempts: z.int(),
  created_at: instant,
  tried_at: instant.nullable(),
  due_at: instant.nullable().describe("The next try; null if there is none"),
  milliseconds: z.int().nullable(),
  status: z.int().nullable(),
  failure: z.string().nullable(),
});
export type DeliveryRow = z.infer<typeof deliveryRow>;

export const delivery = deliveryRow.extend({
  body: z.string().describe("What was sent"),
  answer: z.string().nullable().describe("The first kilobyte of the last answer"),
});

export type Delivery = z.infer<typeof delivery>;

export const replayed = z.object({
  finished: z.boolean().describe("false: it is still running, and these are the numbers so far"),
  events: z.int(),
  deliveries: z.int().describe("New deliveries"),
  already_waiting: z.int().describe("Deliveries that were waiting and are sent now"),
  disabled: z.array(z.string()).describe("Endpoints that were left out because they are disabled"),
});

export type Replayed = z.infer<typeof replayed>;
