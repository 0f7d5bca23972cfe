import { randomBytes } from "node:crypto";
import { word } from "./ids";
import type { Store } from "./store/store";

/** What the stand-in was begun with, and what of it must hold after a restart. */
export type Settings = {
  seed: string;
  /** 1 at the first start on a data folder, one more at each next. */
  run: number;
  botToken: string;
  clientSecret: string;
  clockAheadMs(): number;
  advanceClock(ms: number): void;
};

type Given = { seed?: string | number; botToken?: string; clientSecret?: string };

export function begin(store: Store, given: Given, botIdOf: (seed: string) => string): Settings {
  const seed = store.setting("seed") ?? String(given.seed ?? randomBytes(8).toString("hex"));
  const run = Number(store.setting("run") ?? 0) + 1;
  store.keep("seed", seed);
  store.keep("run", String(run));
  const token = store.setting("bot_token") ?? given.botToken ?? firstToken(seed, botIdOf(seed));
  store.keep("bot_token", token);
  return {
    seed,
    run,
    botToken: token,
    clientSecret: given.clientSecret ?? word(`${seed}:client`, 32),
    clockAheadMs: () => Number(store.setting("clock_ahead_ms") ?? 0),
    advanceClock: (ms) =>
      store.keep("clock_ahead_ms", String(Number(store.setting("clock_ahead_ms") ?? 0) + ms)),
  };
}

/** In the shape of Discord's: the bot's id in base64 and two more parts. */
function firstToken(seed: string, botId: string): string {
  return `${Buffer.from(botId).toString("base64url")}.${word(`${seed}:part`, 6)}.${word(`${seed}:bot`, 38)}`;
}
