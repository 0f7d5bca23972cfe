/**
 * `bun tests/bench/tickets.ts [TICKETS] [SECONDS]`: opens this many tickets, posts fifty messages a second in them,
 * and looks for each message in the transcripts. None may be missing. The simulator's limits are off while tickets
 * are opened, because no real server opens five hundred at once.
 */
import { openTicket } from "@/domain/tickets/open";
import { openDesk, rowsOf } from "../support/people/tickets";

const [count = 500, seconds = 20] = process.argv.slice(2).map(Number);
const perSecond = 50;

await using stage = await openDesk();
await stage.atDiscord("limits", { enabled: false });
const { members } = await stage.atDiscord("seed-members", { count });
const began = performance.now();
for (const { id, username } of members) {
  await openTicket(stage.ctx, { topic: "other", member: { id, name: username }, question: "Help" });
}
const deadline = performance.now() + 300_000;
for (;;) {
  const rows = await rowsOf(stage);
  if (rows.length === count && rows.every(({ greeting_id, card_id }) => greeting_id && card_id)) break;
  if (performance.now() > deadline) throw new Error("the tickets never opened");
  await Bun.sleep(50);
}
const opened = (performance.now() - began) / 1000;
const rows = await rowsOf(stage);

const problems: string[] = [];
const start = performance.now();
for (let at = 0; at < perSecond * seconds; at += 1) {
  const { thread_id: channel, discord_user_id: user } = rows[at % rows.length] ?? {};
  problems.push((await stage.atDiscord("messages", { user, channel, content: `message ${at}` })).id);
  const ahead = start + (at + 1) * (1000 / perSecond) - performance.now();
  if (ahead > 0) await Bun.sleep(ahead);
}
const took = (performance.now() - start) / 1000;
const until = performance.now() + 10_000;
let missing = problems.length;
while (missing > 0 && performance.now() < until) {
  const { rows: kept } = await stage.ctx.store.client.execute("SELECT id FROM ticket_messages");
  const known = new Set(kept.map(({ id }) => id as string));
  missing = problems.filter((id) => !known.has(id)).length;
  await Bun.sleep(20);
}
const late = performance.now() - start - took * 1000;
console.log(
  `${count} tickets opened in ${opened.toFixed(1)} s; ${problems.length} messages in ${took.toFixed(1)} s ` +
    `(${(problems.length / took).toFixed(0)} a second), ${missing} missing, all kept ${late.toFixed(0)} ms after the last`,
);
if (missing > 0) process.exitCode = 1;
