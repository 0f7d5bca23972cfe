import { $ } from "bun";

/*
 * `bun run ground`: writes `drizzle/0000_ground.sql` anew from the tables in `src`, and keeps its end, which is written by
 * hand. Until release 0.3.0 is out, a change of the schema changes this one migration.
 */

const root = new URL("../..", import.meta.url).pathname;
const ground = Bun.file(`${root}drizzle/0000_ground.sql`);

/** Begins the part that drizzle-kit doesn't know. */
const mark = "-- Written by hand: views, triggers and first rows.\n";

const byHand = (await ground.text()).split(mark)[1];
if (!byHand) throw new Error(`drizzle/0000_ground.sql has no line "${mark.trim()}"`);
const kept = `${root}.cache/drizzle`;
await $`mkdir -p .cache && rm -rf ${kept} && mv drizzle ${kept}`.cwd(root);
try {
  await $`${process.execPath} node_modules/.bin/drizzle-kit generate --name ground`.cwd(root);
  const tables = (await ground.text()).trimEnd();
  await Bun.write(ground, `${tables}--> statement-breakpoint\n${mark}${byHand}`);
} catch (error) {
  // as with a mistake in a table: what is written by hand stands nowhere else
  await $`rm -rf drizzle && mv ${kept} drizzle`.cwd(root);
  throw error;
}
