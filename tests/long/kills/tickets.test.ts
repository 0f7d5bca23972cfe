import { expect, test } from "bun:test";
import { openCrashStage, waitUntil } from "../../crash/harness";

const opening = [
  "ticket.stored@1",
  "ticket.thread-announced@1",
  "ticket.thread-made@1",
  "ticket.greeted@1",
  "ticket.card-shown@1",
];
const closing = ["ticket.changed@2", "ticket.goodbye-said@1", "ticket.shut@1"];
const reopening = ["ticket.changed@3", "ticket.woken@1"];

/**
 * Where the shop dies while a ticket is opened, claimed, closed and reopened. Each life finishes what the previous
 * one left undone and then dies itself, so no point may be followed by one that finishing it would reach.
 */
const points = [
  "ticket.card-shown@1",
  "ticket.greeted@1",
  "ticket.thread-made@1",
  "ticket.woken@1",
  "ticket.thread-announced@1",
  "ticket.shut@1",
  "ticket.goodbye-said@1",
  "ticket.changed@3",
  "ticket.changed@2",
  "ticket.changed@1",
  "ticket.stored@1",
];

test("a shop killed between any two steps of open, claim, close and reopen leaves one ticket and one thread", async () => {
  await using stage = await openCrashStage({ discord: true });
  const { world } = stage;
  await world.atDiscord("limits", { enabled: false });
  const token = "a-token-for-prometheus";
  const env = { METRICS_TOKEN: token, LIMITS: "public=100000/60" };
  for (const [at, point] of points.entries()) {
    await control("members", { username: `member${at}` });
    await stage.dieAt(
      point,
      async () => {
        await finished(at);
        await live(at, point);
      },
      env,
    );
  }
  await stage.start(env);
  await finished(points.length);

  /** Everything about this many first tickets is done, and done once. */
  async function finished(count: number): Promise<void> {
    if (count > 0) await judge(count, points[count - 1]!);
    // what is visible in the server may not be recorded yet, and would be repeated by the next process
    const headers = { authorization: `Bearer ${token}` };
    await waitUntil(
      async () => (await fetch(`${world.shopUrl}/api/ready`, { headers })).json(),
      ({ data }) => data.waiting_jobs === 0,
    );
  }

  /** Plays a member's ticket until the shop dies, which may happen at any click; then nobody answers. */
  async function live(at: number, point: string): Promise<void> {
    const user = `member${at}`;
    await ask(user);
    if (opening.includes(point)) return;
    const card = await cardOf(at + 1);
    await press("sam", card, "Claim").catch(() => {});
    if (closing.includes(point) || reopening.includes(point)) await close(card).catch(() => {});
    if (reopening.includes(point)) await reopen(user, at + 1);
  }

  async function judge(number: number, point: string): Promise<void> {
    const claimed = !opening.includes(point);
    const reopened = reopening.includes(point);
    const closed = reopened || closing.includes(point);
    await cardOf(number);
    const [thread, ...others] = await waitUntil(
      () => threadsOf(number),
      ({ length }) => length > 0,
    );
    expect(others).toEqual([]);
    const text = await waitUntil(
      () => wordsIn(thread.id),
      (all) => all.filter((one) => one.includes(`Ticket #${number} ·`)).length === 1,
    );
    if (closed) {
      await waitUntil(
        () => threadsOf(number),
        ([one]) => one.thread_metadata.locked !== reopened,
      );
      const ends = (await wordsIn(thread.id)).filter((one) => one.includes("was closed by"));
      expect(ends).toHaveLength(1);
    } else expect(text.join()).not.toContain("was closed");
    if (reopened) {
      const again = await waitUntil(
        async () => (await wordsIn(thread.id)).filter((one) => one.includes("is open again")),
        (all) => all.length > 0,
      );
      expect(again).toHaveLength(1);
    }
    const cards = await waitUntil(
      async () => (await wordsIn("staff")).filter((one) => one.includes(`#${number} · `)),
      ([one = ""]) => !claimed || /"Claimed by","value":"<@/.test(one),
    );
    expect(cards).toHaveLength(1);
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- a test may read any field
  function control(path: string, body?: object): Promise<any> {
    return world.atDiscord(path, body);
  }

  async function ask(user: string): Promise<void> {
    const panel = await waitUntil(
      async () => (await control("channels/support/messages")).messages[0],
      (one) => one !== undefined,
    );
    const offered = await pressUntilAnswered(
      { user, message: panel.id, custom_id: "ticket-topic:other" },
      ({ messages }) => messages.length > 0,
    );
    const { interaction } = await pressUntilAnswered({
      user,
      message: offered.messages[0].id,
      label: "Open a ticket",
    });
    await control("interact/modal", { user, interaction, fields: { text: "Help" }, timeout_ms: 1500 }).catch(
      () => {},
    );
  }

  function press(user: string, message: string, label: string) {
    return control("interact/button", { user, message, label, timeout_ms: 1500 });
  }

  /** A button that only shows something: who gets no answer in Discord's three seconds presses it again. */
  function pressUntilAnswered(
    button: object,
    // oxlint-disable-next-line typescript/no-explicit-any -- as above
    right: (answer: any) => boolean = () => true,
  ) {
    return waitUntil(
      () => control("interact/button", button).catch(() => null),
      (answer) => answer !== null && right(answer),
    );
  }

  async function close(card: string): Promise<void> {
    const { interaction } = await pressUntilAnswered({ user: "sam", message: card, label: "Close" });
    await control("interact/modal", { user: "sam", interaction, fields: { text: "Done" }, timeout_ms: 1500 });
  }

  async function reopen(user: string, number: number): Promise<void> {
    const [thread] = await waitUntil(
      () => threadsOf(number),
      ([one]) => one.thread_metadata.locked,
    );
    const { messages } = await control(`channels/${thread.id}/messages?as=sam`);
    const end = messages.find((one: object) => JSON.stringify(one).includes("ticket-reopen:"));
    await press(user, end.id, "Reopen").catch(() => {});
  }

  async function cardOf(number: number): Promise<string> {
    const found = await waitUntil(
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
});
