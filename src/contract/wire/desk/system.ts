import { z } from "zod";
import { instant } from "../envelope";

const finding = z.object({
  what: z.string().describe("Such as Stripe, mail, Discord, backup"),
  state: z.enum(["well", "warning", "wrong", "unknown"]),
  sentence: z.string(),
});

export const findings = z.object({ findings: z.array(finding) });
export type Findings = z.infer<typeof findings>;

const backupRow = z.object({
  id: z.string().describe("Its name"),
  made_at: instant,
  bytes: z.int(),
  own: z
    .boolean()
    .nullable()
    .describe("Whether it is this shop's, and not another's; null: its file can't be read"),
});
export type BackupRow = z.infer<typeof backupRow>;
export const backups = z.object({
  place: z.string(),
  making: z.boolean().describe("Whether this process is making one"),
  problem: z.string().nullable().describe("Why the last one that was made here failed"),
  rows: z.array(backupRow),
});
export type Backups = z.infer<typeof backups>;

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
  }),
  restored: z
    .object({
      at: instant,
      made: instant.describe("When the backup was made: what was done between the two is gone"),
      copy: z.boolean().describe("Whether this is still a copy, which sells, mails and refunds nothing"),
    })
    .nullable()
    .describe("The last restore of this database from a backup; null: never"),
  discord: z
    .enum(["off", "elsewhere", "away", "up"])
    .describe("Whether the bot is off, runs in another process, is disconnected, or is connected"),
  stripe: z.object({
    mode: z.enum(["live", "test", "simulator"]).describe("`simulator`: no key is set, as in the demo"),
    last_webhook_at: instant.nullable().describe("null: never"),
  }),
  mail: z
    .enum(["off", "untried", "up", "away", "refusing"])
    .describe(
      "The mail server's state when the last email was sent; `untried`: none was sent since the start; `refusing`: it refuses whatever it is sent",
    ),
  processes: z.array(
    z.object({
      id: z.string(),
      version: z.string(),
      started_at: instant,
      seen_at: instant,
      this: z.boolean().describe("Whether this is the process that answered"),
    }),
  ),
  checked_at: instant.nullable().describe("When the findings were made; null: not yet"),
  checking: z.boolean(),
  findings: z.array(finding).describe("What `shop doctor` would report; `POST system/check` checks again"),
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
