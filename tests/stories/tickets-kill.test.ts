import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDiscordSimulator } from "@/simulators/discord/simulator";
import { type ShopProcess, startShopProcess, startWorld } from "../fire/programs";
import { noteTally } from "../discord-tally";
import { discordSettings } from "../stage";

const bearing = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

/** Where the process is killed while a ticket is opened, taken and closed, and opened again. */
const opening = [
  "ticket.stored@1",
  "ticket.thread-announced@1",
  "ticket.thread-made@1",
  "ticket.greeted@1",
  "ticket.card-shown@1",
];
const taking = ["ticket.changed@1"];
const closing = ["ticket.changed@2", "ticket.goodbye-said@1", "ticket.shut@1"];
const reopening = ["ticket.changed@3", "ticket.woken@1"];

test("a shop killed between any two steps of open, claim, close and reopen leaves one ticket and one thread", async () => {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-tickets-"));
  const world = await startWorld(folder);
  const discord = await startDiscordSimulator({ seed: 1 });
  const token = "a-token-for-prometheus";
  const env = { METRICS_TOKEN: token, DISCORD: "", LIMITS: "public=100000/60", ...discordSettings(discord) };
  let shop: ShopProcess | null = null;
  try {
    for (const [at, point] of [...opening, ...taking, ...closing, ...reopening].entries()) {
      const user = `member${at}`;
      const taken = !opening.includes(point);
      const reopened = reopening.includes(point);
      const closed = reopened || closing.includes(point);
      await control("members", { username: user });
      shop = await startShopProcess(world, { ...env, FAILPOINT: point });
      await ask(user);
      if (taken) {
        const card = await cardOf(at + 1);
        // the process may die at either press, and then nobody answers
        await press("sam", card, "Claim").catch(() => {});
        if (closed) await close(card).catch(() => {});
        if (reopened) await reopen(user, at + 1);
      }
      await shop.child.exited;
      shop = await startShopProcess(world, env);
      const card = await cardOf(at + 1);
      const [thread, ...others] = await threadsOf(at + 1);
      expect(others).toEqual([]);
      const said = await until(
        () => wordsIn(thread.id),
        (all) => all.filter((one) => one.includes(`Ticket #${at + 1} ·`)).length === 1,
      );
      if (closed) {
        await until(
          () => threadsOf(at + 1),
          ([one]) => one.thread_metadata.locked !== reopened,
        );
        const ends = (await wordsIn(thread.id)).filter((one) => one.includes("was closed by"));
        expect(ends).toHaveLength(1);
      } else expect(said.join()).not.toContain("was closed");
      if (reopened) {
        const again = await until(
          async () => (await wordsIn(thread.id)).filter((one) => one.includes("is open again")),
          (all) => all.length > 0,
        );
        expect(again).toHaveLength(1);
      }
      const cards = await until(
        async () => (await wordsIn("staff")).filter((one) => one.includes(`#${at + 1} · `)),
        ([one = ""]) => !taken || /"Claimed by","value":"<@/.test(one),
      );
      expect(cards).toHaveLength(1);
      expect(card).toBeDefined();
      // what is seen in the server may not be noted yet, and would be passed again by the next process
      await until(
        async () => (await fetch(`${world.shopUrl}/api/ready`, bearing(token))).json(),
        ({ data }) => data.waiting_jobs === 0,
      );
      await shop.kill();
    }
  } finally {
    await shop?.kill().catch(() => {});
    await world.stop();
    await noteTally(discord.url);
    await discord.stop();
    await rm(folder, { recursive: true, force: true });
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- a story looks at whatever came
  async function control(path: string, body?: object): Promise<any> {
    const answer = await fetch(`${discord.url}/_control/${path}`, {
      ...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
      headers: { "content-type": "application/json" },
    });
    const said = await answer.json();
    if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(said)}`);
    return said;
  }

  async function ask(user: string): Promise<void> {
    const panel = await until(
      async () => (await control("channels/support/messages")).messages[0],
      (one) => one !== undefined,
    );
    const offered = await until(
      () => control("interact/button", { user, message: panel.id, custom_id: "ticket-topic:other" }),
      ({ messages }) => messages.length > 0,
    );
    const form = await control("interact/button", {
      user,
      message: offered.messages[0].id,
      label: "Open a ticket",
    });
    const { interaction } = form;
    await control("interact/modal", { user, interaction, fields: { text: "Help" }, timeout_ms: 1500 }).catch(
      () => {},
    );
  }

  function press(user: string, message: string, label: string) {
    return control("interact/button", { user, message, label, timeout_ms: 1500 });
  }

  async function close(card: string): Promise<void> {
    const { interaction } = await press("sam", card, "Close");
    await control("interact/modal", { user: "sam", interaction, fields: { text: "Done" }, timeout_ms: 1500 });
  }

  async function reopen(user: string, number: number): Promise<void> {
    const [thread] = await until(
      () => threadsOf(number),
      ([one]) => one.thread_metadata.locked,
    );
    const { messages } = await control(`channels/${thread.id}/messages?as=sam`);
    const end = messages.find((one: object) => JSON.stringify(one).includes("ticket-reopen:"));
    await press(user, end.id, "Open again").catch(() => {});
  }

  async function cardOf(number: number): Promise<string> {
    const found = await until(
      async () => {
        const { messages } = await control("channels/staff/messages?as=sam");
        return messages.find((one: object) => JSON.stringify(one).includes(`"#${number} `));
      },
      (one) => one !== undefined,
    );
    return found.id;
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  async function threadsOf(number: number): Promise<any[]> {
    const { threads } = await control("state");
    return threads.filter(({ name }: { name: string }) => name.startsWith(`#${number} `));
  }

  async function wordsIn(channel: string): Promise<string[]> {
    const { messages } = await control(`channels/${channel}/messages?as=sam`);
    return messages.map(
      (one: { content: string; embeds: object[] }) => one.content + JSON.stringify(one.embeds),
    );
  }
}, 240_000);

/** Patient enough for a bot that has to wait for its turn to log in. */
async function until<T>(look: () => Promise<T>, right: (seen: T) => boolean): Promise<T> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const seen = await look();
    if (right(seen)) return seen;
    if (Date.now() > deadline) throw new Error(`it never came right; last seen: ${JSON.stringify(seen)}`);
    await Bun.sleep(25);
  }
}
