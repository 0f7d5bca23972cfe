import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What the stand-ins for Discord of a whole run saw of shops. */
export type DiscordTally = {
  requests: number;
  /** Answers 401, 403 or 429 without `shared`, of which Discord bans an address that gets too many. */
  invalid: number;
  /** Of those, the ones that a story ordered. */
  invalidFaulted: number;
  /** 429s that the stand-in gave because a bucket was exhausted, by route; they are invalid too. */
  overrun: Record<string, number>;
};

/** Named here, the folder is written to by every process of a run. */
const setting = "LATCHKEY_DISCORD_TALLIES";

/** Fewer than so many invalid requests may a whole run make: https://discord.com/developers/docs/topics/rate-limits */
export const mostInvalid = 100;

/** Notes what a stand-in has counted, for the run that this test is part of; called at its end. */
export async function noteTally(standInUrl: string): Promise<void> {
  const folder = process.env[setting];
  if (!folder) return;
  const answer = await fetch(`${standInUrl}/_control/tally`);
  await Bun.write(join(folder, `${crypto.randomUUID()}.json`), await answer.text());
}

/** A folder for a run; `sum` reads what came together in it and lets go of it. */
export async function gatherTallies() {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-tallies-"));
  return {
    env: { [setting]: folder },
    async sum(): Promise<DiscordTally> {
      const names = await readdir(folder);
      const all: DiscordTally[] = await Promise.all(names.map((name) => Bun.file(join(folder, name)).json()));
      await rm(folder, { recursive: true, force: true });
      const total = (count: (tally: DiscordTally) => number) => all.reduce((sum, one) => sum + count(one), 0);
      return {
        requests: total(({ requests }) => requests),
        invalid: total(({ invalid }) => invalid),
        invalidFaulted: total(({ invalidFaulted }) => invalidFaulted),
        overrun: all.map(({ overrun }) => overrun).reduce(addUp, {}),
      };
    },
  };
}

type Counts = Record<string, number>;
const addUp = (sum: Counts, more: Counts): Counts =>
  Object.entries(more).reduce((all, [name, count]) => ({ ...all, [name]: (all[name] ?? 0) + count }), sum);
