import { z } from "zod";
import { instant } from "../envelope";
import { withReason } from "./reason";

const deliveryStates = ["waiting", "delivered", "failed", "cancelled"] as const;

const eventTypes = z.array(z.string().max(64)).min(1).max(64);

export const webhookRow = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.string()).nullable().describe("null: all, also later ones"),
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
export type WebhookWithSecret = z.infer<typeof webhookWithSecret>;
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

export const webhookBody = withReason({
  url: z.string().min(1).max(2_100),
  events: eventTypes.nullable().default(null).describe("null: all, also later ones"),
});

export const webhookChangeBody = withReason({
  url: z.string().min(1).max(2_100).optional(),
  events: eventTypes.nullable().optional(),
}).refine((body) => body.url !== undefined || body.events !== undefined, {
  message: "Send url or events",
  path: ["url"],
  params: { isSentence: true },
});

export const rotateBody = withReason({
  at_once: z
    .boolean()
    .default(false)
    .describe("Stop signing with the former secret at once, because it leaked"),
});

export const deliveriesQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(50).describe("How many rows at most"),
  after: z
    .string()
    .regex(/^dlv_[\w-]{1,60}$/, "must be what `next` said")
    .optional()
    .describe("`next` of the previous page, with the same filters"),
  endpoint: z.string().max(64).optional(),
  state: z.enum(deliveryStates).optional().describe("A page may then have fewer rows than `limit`"),
});

/** One delivery or event, or everything since a time. */
export const replayBody = withReason({
  id: z.string().max(64).optional().describe("An event's or a delivery's id"),
  since: instant.optional(),
  endpoint: z.string().max(64).optional().describe("Only to this endpoint"),
}).refine((body) => (body.id === undefined) !== (body.since === undefined), {
  message: "Send id or since, and not both",
  path: ["id"],
  params: { isSentence: true },
});

export const replayed = z.object({
  finished: z.boolean().describe("false: it is still going on, and these are the numbers so far"),
  events: z.int(),
  deliveries: z.int().describe("New deliveries"),
  already_waiting: z.int().describe("Deliveries that were waiting and are sent now"),
  disabled: z.array(z.string()).describe("Endpoints that were left out because they are disabled"),
});

export type Replayed = z.infer<typeof replayed>;

export const webhookParams = z.object({ id: z.string().max(64) });
