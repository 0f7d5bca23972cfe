import { z } from "zod";
import { instant } from "../envelope";

const finding = z.object({
  what: z.string().describe("Such as Stripe, mail, Discord, backup"),
  state: z.enum(["well", "warning", "wrong", "unknown"]),
  sentence: z.string(),
});

export const system = z.object({
  version: z.string(),
  goes_back_to: z.string().describe("The oldest release that can run on this database"),
  bun: z.string(),
  database: z.object({ bytes: z.int().nullable(), migrations: z.int() }),
  queues: z.array(
    z.object({
      lane: z.string(),
      waiting: z.int().describe("Counted up to 10,000 a topic"),
      failing: z.int(),
      stuck: z.int(),
      oldest_at: instant.nullable(),
    }),
  ),
  backup: z.object({
    last: z.object({ at: instant, bytes: z.int(), place: z.string().nullable() }).nullable(),
    drill: z.object({ at: instant, ok: z.boolean() }).nullable().describe("The last one that was tried"),
  }),
  discord: z.object({ state: z.enum(["off", "connected", "away"]) }),
  stripe: z.object({
    mode: z.enum(["live", "test", "simulator"]),
    last_webhook_at: instant.nullable(),
  }),
  mail: z.object({ state: z.enum(["on", "off", "simulator"]) }),
  processes: z.array(
    z.object({
      id: z.string(),
      version: z.string(),
      started_at: instant,
      seen_at: instant,
      this: z.boolean().describe("The one that answers"),
    }),
  ),
  checked_at: instant.nullable().describe("When the findings were made; null: not yet"),
  checking: z.boolean(),
  findings: z.array(finding).describe("As `shop doctor` found them; `POST system/check` makes new ones"),
});
export type System = z.infer<typeof system>;

export const settingRow = z.object({
  name: z.string(),
  value: z.string().nullable().describe("null: not set, or a secret"),
  secret: z.boolean(),
  set: z.boolean(),
  otherwise: z.string().describe("What applies when it is not set"),
  meaning: z.string(),
});
export type SettingRow = z.infer<typeof settingRow>;
export const settingRows = z.object({ rows: z.array(settingRow), next: z.null() });
