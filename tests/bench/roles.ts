/**
 * `bun tests/bench/roles.ts [MEMBERS] [DIFFERENCES]`: how long it takes until a server agrees with the licences
 * again, against the simulator with Discord's limits. Ten thousand members and a hundred differences must take no
 * more than 150 s.
 */
import { inArray } from "drizzle-orm";
import { hour } from "@/contract/time";
import { licences } from "@/domain/schema/licences";
import { waitForBot, waitForReconciliations } from "../support/people/discord";
import { fillServer, timeUntilHeld } from "../support/people/many-members";
import { openStage } from "../support/shop/stage";

const [members = 10_000, differences = 100] = process.argv.slice(2).map(Number);

await using stage = await openStage({ discord: true });
await waitForBot(stage);
await waitForReconciliations(stage);
const { userIds, accountIds } = await fillServer(stage, members);
const lost = accountIds.slice(0, differences / 2);
await stage.ctx.store.db
  .update(licences)
  .set({ revokedAt: stage.ctx.now() })
  .where(inArray(licences.accountId, lost));
const robbed = userIds.slice(differences / 2, differences);
await stage.atDiscord("faults", { gateway: { away: true } });
for (const user of robbed) await stage.atDiscord("roles", { user, role: "Premium", give: false });
await stage.atDiscord("faults", { gateway: { away: false } });

const slowest = watchEventLoop();
const before = process.memoryUsage.rss();
stage.advance(hour);
const took = await timeUntilHeld(stage, userIds.slice(differences / 2), 300_000);
const { requests, limited, invalid } = await stage.atDiscord("tally");
console.log(
  `${members} members, ${differences} differences: ${(took / 1000).toFixed(1)} s, ${requests} requests, ` +
    `${limited.user + limited.global + limited.shared} of them over a limit, ${invalid} refused; ` +
    `slowest turn of the event loop ${slowest().toFixed(0)} ms, ` +
    `${((process.memoryUsage.rss() - before) / 1e6).toFixed(0)} MB more`,
);
if (took > 150_000) process.exitCode = 1;

/** The longest delay of a ten-millisecond timer. The simulator and this benchmark share the event loop. */
function watchEventLoop(): () => number {
  let [last, worst] = [performance.now(), 0];
  const timer = setInterval(() => {
    worst = Math.max(worst, performance.now() - last - 10);
    last = performance.now();
  }, 10);
  return () => {
    clearInterval(timer);
    return worst;
  };
}
