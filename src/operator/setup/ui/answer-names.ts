import type { SettingName } from "@/core/settings/settings";

/** The settings that steps ask for: a question of another name does not compile. */
export const askedSettings = [
  "PUBLIC_URL",
  "OWNER_EMAIL",
  "CURRENCY",
  "SELLER",
  "TIME_ZONE",
  "SMTP_URL",
  "MAIL_FROM",
  "BACKUP_TO",
  "BACKUP_EVERY",
  "AWS_ACCESS_KEY_ID",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_ENDPOINT_URL_S3",
  "AWS_REGION",
  "STRIPE_SECRET_KEY",
  "STRIPE_PUBLISHABLE_KEY",
  "STRIPE_WEBHOOK_SECRET",
  "DISCORD_BOT_TOKEN",
  "DISCORD_CLIENT_ID",
  "DISCORD_CLIENT_SECRET",
  "DISCORD_GUILD_ID",
  "DISCORD_PREMIUM_ROLE_ID",
  "DISCORD_SUPPORT_ROLE_ID",
  "DISCORD_SUPPORT_CHANNEL_ID",
  "DISCORD_STAFF_CHANNEL_ID",
] as const satisfies readonly SettingName[];

/** What else may stand in a file of answers. */
export const otherAnswers = [
  "OWNER_NAME",
  "PRODUCT",
  "SHORT_NAME",
  "KEY_PREFIX",
  "PRICE",
  "SUPPORT_EMAIL",
  "OTHER_ADDRESS",
  "SMTP_LOGIN",
  "SMTP_PASSWORD",
  "TAKE_KEY",
  "GO_LIVE",
  "BEGIN_ANOTHER",
  "REPLACE_ENDPOINT",
  "ROLE_MEMBERS",
  "START",
] as const;

type AtTerminal = "STEP" | "KEYS" | "MAIL_CODE" | "NEW_LINK";

export type AskedSetting = (typeof askedSettings)[number];
export type AnswerName = AskedSetting | (typeof otherAnswers)[number] | AtTerminal;
