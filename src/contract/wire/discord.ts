import { z } from "zod";
import { instant } from "./envelope";

/** A Discord id: https://discord.com/developers/docs/reference#snowflakes */
export const discordId = /^\d{17,20}$/;

/** The serverless function's answer, outside the envelope. */
export const discordUrl = z.object({ url: z.url() });

export const discordCallbackBody = z.object({
  code: z.string().min(1).max(512),
  state: z.string().min(1).max(128),
});

/** The callback screen's headlines, which also choose its icon. */
export const callbackTitles = ["Success", "Pending", "Forbidden", "Bad Request", "Denied"] as const;
export type CallbackTitle = (typeof callbackTitles)[number];

/** Why a member has the roles of their levels or lacks one. */
export const roleReasons = [
  "held",
  "off",
  "not_linked",
  "no_license",
  "no_role",
  "banned",
  "too_many_servers",
  "not_member",
  "pending",
] as const;
export type RoleReason = (typeof roleReasons)[number];

export const discordStatus = z.object({
  connected: z.boolean(),
  name: z.string().nullable().describe("The connected user's name on Discord"),
  linked_at: instant.nullable(),
  role: z.object({
    held: z.boolean(),
    reason: z.enum(roleReasons),
    sentence: z.string().describe("Why the role is or isn't there, and what to do"),
    gives: z
      .string()
      .nullable()
      .describe("What the account's licenses give, such as `Pro and Team roles`; null if no role"),
    join_url: z.url().nullable().describe("Where to join the server, if that is the next step"),
  }),
});
export type DiscordStatus = z.infer<typeof discordStatus>;
