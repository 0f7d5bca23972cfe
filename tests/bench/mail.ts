/**
 * `bun run bench mail [emails=600] [slow=150]`: receipts a second to a relay that answers at once, and to one that
 * takes 150 ms for each email. Orders are paid and settled while mail is off; what is measured is how fast their
 * receipts go out once it is on, from the first to the last that the mail simulator, a process of its own, receives.
 */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startShopProcess, startWorld, type World } from "../crash/processes";
import { paidOrders, settled } from "./settle";

const mailOff = { SMTP_URL: "", MAIL_FROM: "", MAIL: "off" };
const slowMilliseconds = 150;
let round = 0;
const promised = { atOnce: 100, slow: 25 };

/** Resolves to the two rates, in emails a second. */
async function measureMail(emails = 600, slowEmails = 150) {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-bench-"));
  const world = await startWorld(folder);
  await world.atStripe("webhooks/url", { url: null });
  try {
    const atOnce = await rateOf(world, emails, { mode: "accept" });
    const slow = await rateOf(world, slowEmails, { mode: "slow", delayMs: slowMilliseconds });
    return { atOnce, slow };
  } finally {
    await world.stop();
    await rm(folder, { recursive: true });
  }
}

async function rateOf(world: World, emails: number, relay: object): Promise<number> {
  const selling = await startShopProcess(world, mailOff);
  await settled(world, await paidOrders(world, emails, (round += 1)));
  await selling.kill("SIGTERM");
  await world.atMail(relay);
  const before = new Set(await readdir(world.mailFolder));
  const sending = await startShopProcess(world);
  const received = async () =>
    (await readdir(world.mailFolder)).filter((name) => name.endsWith(".json") && !before.has(name));
  while ((await received()).length < emails) await Bun.sleep(50);
  await sending.kill("SIGTERM");
  const times = await Promise.all(
    (await received()).map(async (name) => {
      const { receivedAt } = (await Bun.file(join(world.mailFolder, name)).json()) as { receivedAt: string };
      return Date.parse(receivedAt);
    }),
  );
  return (1_000 * (emails - 1)) / (Math.max(...times) - Math.min(...times));
}

const [emails, slowEmails] = process.argv.slice(3).map(Number);
const { atOnce, slow } = await measureMail(emails, slowEmails);
console.log(
  `emails a second: ${atOnce.toFixed(0)} to a relay that answers at once (promised ${promised.atOnce}), ` +
    `${slow.toFixed(1)} to one that takes ${slowMilliseconds} ms (promised ${promised.slow})`,
);
process.exit(atOnce >= promised.atOnce && slow >= promised.slow ? 0 : 1);
