import { randomBytes } from "node:crypto";
import { word } from "../words";
import type { DiscordStore } from "./rows";

/** What the simulator was started with, and keeps over a restart. */
export type Settings = {
  seed: string;
  /** Counts the starts on a data folder. */
  run: number;
  botToken: string;
  clientSecret: string;
};

type Given = { seed?: string | number; botToken?: string; clientSecret?: string };

export function begin(store: DiscordStore, given: Given, botIdOf: (seed: string) => string): Settings {
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
  };
}

/** In the shape of Discord's: the bot's id in base64 and two more parts. */
function firstToken(seed: string, botId: string): string {
  return `${Buffer.from(botId).toString("base64url")}.${word(`${seed}:part`, 6)}.${word(`${seed}:bot`, 38)}`;
}
