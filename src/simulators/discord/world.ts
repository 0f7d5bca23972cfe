import type { Faults } from "./faults";
import type { Ids } from "./ids";
import type { LimitSettings } from "./rest/limit-table";
import type { Tally } from "./rest/tally";
import type { Store } from "./store/store";

/** The server that the stand-in was begun with; ids never change afterwards. */
export type Known = {
  applicationId: string;
  /** The bot's user; equal to the application's id, as with every newer Discord application. */
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

/** Something that happened in the server, for whoever listens at the gateway. */
export type Happening = {
  name: string;
  data: object;
  /** Any one of these intents' bits lets it through; 0 is for everybody. */
  intents: number;
  /** Only while the bot can see this channel. */
  channel?: string;
};

/** What every part of the stand-in works with. */
export type World = {
  store: Store;
  ids: Ids;
  faults: Faults;
  limits: LimitSettings;
  tally: Tally;
  known: Known;
  secrets: { botToken: string; clientSecret: string };
  /** Where OAuth may send people back to; empty lets any address through. */
  redirectUris: string[];
  /** Unix milliseconds. */
  now(): number;
  /** Base of everything, without a slash at the end. */
  url: string;
  /** Tells the gateway's listeners. */
  tell(happening: Happening): void;
  /** Wakes whoever waits for the server to change: the control's calls and the page. */
  changed: Changes;
};

export type Changes = {
  notify(): void;
  /** Calls back at each change until the returned function is called. */
  watch(callback: () => void): () => void;
  count(): number;
};

export function changes(): Changes {
  const watchers = new Set<() => void>();
  let count = 0;
  return {
    notify() {
      count += 1;
      for (const watcher of watchers) watcher();
    },
    watch(callback) {
      watchers.add(callback);
      return () => void watchers.delete(callback);
    },
    count: () => count,
  };
}

export function isoNow(world: World): string {
  return iso(world.now());
}

/** Discord writes times with microseconds and an offset. */
export function iso(time: number): string {
  return new Date(time).toISOString().replace("Z", "000+00:00");
}
