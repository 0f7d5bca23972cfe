import { expect, test } from "bun:test";
import { openCrashStage, waitUntil } from "../../crash/harness";
import { operateOn } from "../../crash/processes";
import { Person } from "../../support/people/person";

/** Where the shop dies between what a customer writes on the site and its post in the thread. */
const points = [
  "ticket.written@1",
  "ticket.message-posted@1",
  "ticket.stored@1",
  "ticket.thread-announced@1",
  "ticket.thread-made@1",
  "ticket.greeted@1",
  "ticket.message-posted@2",
  "ticket.written@2",
  "ticket.card-shown@1",
];

/** Two are the same: only their keys tell them apart. */
const lines = ["one", "same", "same"];

test("a shop killed between a message from the site and its post loses and doubles none, on the page and in the thread", async () => {
  await using stage = await openCrashStage({ discord: true });
  const { world } = stage;
  await world.atDiscord("limits", { enabled: false });
  const token = "a-token-for-prometheus";
  const env = { METRICS_TOKEN: token, LIMITS: "ticket-message=1000/60,own=100000/60,public=100000/60" };
  const person = new Person(() => new URL(world.shopUrl));
  const shop = await stage.start(env);
  const issued = await operateOn(world, "licences", "issue", "--reason", "a story", "--json");
  const key = /[A-Z]+(-[0-9A-Z]{4}){4}/.exec(issued)?.[0] ?? "";
  expect((await person.register(key, "ada")).status).toBe(200);
  await shop.kill();

  for (const [at, point] of points.entries()) {
    await stage.dieAt(
      point,
      async () => {
        const asked = await ask(at);
        if (asked) await writeAll(asked.body.data.id, at);
      },
      env,
    );
    const next = await stage.start(env);
    // the customer's browser got no answer to some of it, and sends all of it again
    const ticket = String((await ask(at))?.body.data.id);
    for (const answer of await writeAll(ticket, at)) expect([200, 202]).toContain(answer?.status ?? 0);
    await judge(ticket, at);
    expect([200, 202]).toContain((await person.post(`/api/tickets/${ticket}/close`)).status);
    await quiet();
    await next.kill();
  }

  /** Null if the shop died. */
  function send(path: string, body: object, name: string) {
    return person.post(path, body, { "idempotency-key": name }).catch(() => null);
  }

  function ask(at: number) {
    return send("/api/tickets", { topic: "other", question: `question ${at}` }, `question-number-${at}`);
  }

  async function writeAll(ticket: string, at: number) {
    const answers = [];
    for (const [line, text] of lines.entries())
      answers.push(await send(`/api/tickets/${ticket}/messages`, { text }, `message-${at}-number-${line}`));
    return answers;
  }

  async function quiet(): Promise<void> {
    const headers = { authorization: `Bearer ${token}` };
    await waitUntil(
      async () => (await fetch(`${world.shopUrl}/api/ready`, { headers })).json(),
      ({ data }) => data.waiting_jobs === 0,
    );
  }

  async function judge(ticket: string, at: number): Promise<void> {
    const wanted = [`question ${at}`, ...lines];
    const { body } = await person.get(`/api/tickets/${ticket}`);
    expect(body.data.messages.map(({ content }: { content: string }) => content)).toEqual(wanted);
    expect((await person.get("/api/tickets")).body.data).toHaveLength(at + 1);
    const [thread, ...others] = await waitUntil(
      () => threadsOf(body.data.number),
      ({ length }) => length > 0,
    );
    expect(others).toEqual([]);
    const posted = await waitUntil(
      () => postsIn(thread?.id ?? ""),
      ({ length }) => length >= wanted.length,
    );
    expect(posted).toEqual(wanted);
    await quiet();
    expect(await postsIn(thread?.id ?? "")).toEqual(wanted);
  }

  async function threadsOf(number: number): Promise<{ id: string; name: string }[]> {
    const { threads } = (await world.atDiscord("state")) as { threads: { id: string; name: string }[] };
    return threads.filter(({ name }) => name.startsWith(`#${number} `));
  }

  /** What the bot posted for the customer, oldest first. */
  async function postsIn(thread: string): Promise<string[]> {
    const { messages } = (await world.atDiscord(`channels/${thread}/messages?as=sam`)) as {
      messages: { content: string }[];
    };
    return messages.flatMap(
      ({ content }) => /^ada \(website\):?.*\n```\n?([^]*?)\n?```/.exec(content)?.[1] ?? [],
    );
  }
});
