import { day, hour, inSeconds } from "@/contract/vocabulary/time";

/**
 * Discord resets the token of a bot that identifies a thousand times a day, so the bot stays below that on its own.
 * https://discord.com/developers/docs/events/gateway#identifying
 */
export const identifyBudgets = [
  { name: "discord-identify-hour", window: "hour", most: 50, seconds: inSeconds(hour) },
  { name: "discord-identify-day", window: "day", most: 900, seconds: inSeconds(day) },
];
