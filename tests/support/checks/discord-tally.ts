import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What the Discord simulators of a whole run counted. */
export type DiscordTally = {
  requests: number;
  /** Answers of 401, 403, or 429 that isn't `shared`; Discord bans an address that gets too many. */
  invalid: number;
  /** Invalid answers that a story caused on purpose. */
  invalidFaulted: number;
};

/** Names the folder that every process of a run writes to. */
const setting = "LATCHKEY_DISCORD_TALLIES";

/** A whole run must make fewer invalid requests than this: https://discord.com/developers/docs/topics/rate-limits */
export const mostInvalid = 100;

/** Records a simulator's final counts, for the run that the test is part of. */
export async function noteTally(simulatorUrl: string): Promise<void> {
  const folder = process.env[setting];
  if (!folder) return;
  const answer = await fetch(`${simulatorUrl}/_control/tally`);
  await Bun.write(join(folder, `${crypto.randomUUID()}.json`), await answer.text());
}

/** A folder for a run; `sum` adds up its records and removes it. */
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
      };
    },
  };
}
