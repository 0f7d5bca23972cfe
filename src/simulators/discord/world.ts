import type { EventEmitter } from "node:events";
import type { Faults } from "./faults";
import type { Ids } from "./ids";
import type { LimitSettings } from "./rest/limits";
import type { Tally } from "./rest/tally";
import type { DiscordStore } from "./rows";

/** Ids that never change. */
export type Known = {
  applicationId: string;
  /** The id of the bot's user; equal to the application's id, as in every newer Discord application. */
  botId: string;
  guildId: string;
  ownerId: string;
  botRoleId: string;
  premiumRoleId: string;
  supportRoleId: string;
  generalChannelId: string;
  supportChannelId: string;
  staffChannelId: string;
};

export type GatewayEvent = {
  name: string;
  data: object;
  /** Sent to sessions with any of these intents; 0 means all sessions. */
  intents: number;
  /** Sent only while the bot can see this channel. */
  channel?: string;
};

/** What every part of the simulator uses. */
export type World = {
  store: DiscordStore;
  ids: Ids;
  faults: Faults;
  limits: LimitSettings;
  tally: Tally;
  known: Known;
  secrets: { botToken: string; clientSecret: string };
  /** The redirect addresses allowed in OAuth; any address while empty. */
  redirectUris: string[];
  /** Unix milliseconds. */
  now(): number;
  /** The base address, without a trailing slash. */
  url: string;
  /** Sends an event to the gateway's sessions. */
  dispatch(happening: GatewayEvent): void;
  /** How many times the server has changed; `changed` emits `change` each time, for waiting actions and pages. */
  changes: number;
  changed: EventEmitter;
};

export function isoNow(world: World): string {
  return iso(world.now());
}

/** Discord's time format, with microseconds and an offset. */
export function iso(time: number): string {
  return new Date(time).toISOString().replace("Z", "000+00:00");
}
