import { expect, test } from "bun:test";
import { createClient } from "@libsql/client";
import { minute } from "@/contract/vocabulary/time";
import { operate } from "../../support/operator/run-operator";
import { connect, customer } from "../../support/people/discord";
import {
  openDesk,
  openInDiscord,
  rowsOf,
  textIn,
  waitForText,
  waitForTicket,
} from "../../support/people/tickets";
import { eventually, type Stage } from "../../support/shop/stage";

const placed = ({ card_id }: Record<string, unknown>) => Boolean(card_id);
const rowOf = async (stage: Stage) => (await rowsOf(stage))[0] ?? {};
const sees = async (stage: Stage, user: string, thread: string) =>
  JSON.stringify(await stage.atDiscord(`visible?as=${user}`)).includes(`"id":"${thread}"`);
const unposted = (stage: Stage) => stage.count("ticket_messages WHERE via = 'site' AND posted_at IS NULL");

test("a linked customer is in the thread of their ticket from the site; who links later is let in, who unlinks is let out", async () => {
  await using stage = await openDesk();
  const { person } = await customer(stage, "ada");
  const asked = await person.post("/api/tickets", { topic: "device", question: "Hello" });
  const { id } = asked.body.data;
  const thread = String((await waitForTicket(stage, placed))["thread_id"]);
  expect(await sees(stage, "ada", thread)).toBe(false);
  await connect(stage, person, "ada");
  await eventually(() => sees(stage, "ada", thread));
  await eventually(async () => (await person.get(`/api/tickets/${id}`)).body.data.answers_by === "discord");
  await stage.atDiscord("messages", { user: "ada", channel: thread, content: "From Discord" });
  await person.post(`/api/tickets/${id}/messages`, { text: "From the site" });
  await waitForText(stage, thread, "From the site");
  const { body } = await eventually(
    () => person.get(`/api/tickets/${id}`),
    (one) => one.body.data.messages.length === 3,
  );
  expect(body.data.messages.map(({ author }: { author: string }) => author)).toEqual([
    "member",
    "member",
    "member",
  ]);
  await person.post("/api/discord/deauth/");
  await eventually(async () => !(await sees(stage, "ada", thread)));
  await waitForTicket(stage, (row) => row["discord_user_id"] === null && row["in_thread"] === 0);
});

test("a message that a member wrote before their connection ended doesn't count as support's answer, however late it is read", async () => {
  await using stage = await openDesk();
  const { person } = await customer(stage, "ada");
  await connect(stage, person, "ada");
  const asked = await person.post("/api/tickets", { topic: "device", question: "Hello" });
  const { id } = asked.body.data;
  const thread = String((await waitForTicket(stage, placed))["thread_id"]);
  await eventually(() => sees(stage, "ada", thread));
  await eventually(async () => (await unposted(stage)) === 0);
  await stage.atDiscord("faults", { api: { away: true }, gateway: { away: true } });
  await eventually(() => stage.shop.bot?.state() === "away");
  await stage.atDiscord("messages", { user: "ada", channel: thread, content: "Send me your password" });
  await person.post("/api/discord/deauth/");
  await stage.atDiscord("faults", { api: { away: false }, gateway: { away: false } });
  const { messages, waiting_for: waits } = await eventually(
    async () => {
      stage.advance(5_000);
      return (await person.get(`/api/tickets/${id}`)).body.data;
    },
    (ticket) => ticket.messages.length === 2,
  );
  expect(messages[1]).toMatchObject({ author: "guest", content: "Send me your password" });
  expect(waits).toBe("staff");
});

test("another program's words in a thread are not the shop's, nor an answer", async () => {
  await using stage = await openDesk();
  const { person } = await customer(stage, "ada");
  const asked = await person.post("/api/tickets", { topic: "device", question: "Hello" });
  const { id } = asked.body.data;
  const thread = String((await waitForTicket(stage, placed))["thread_id"]);
  await stage.atDiscord("members", { username: "rex", bot: true });
  await stage.atDiscord("roles", { user: "rex", role: "Support" });
  await stage.atDiscord("messages", { user: "rex", channel: thread, content: "You get your money back" });
  const { messages, waiting_for: waits } = await eventually(
    async () => (await person.get(`/api/tickets/${id}`)).body.data,
    (ticket) => ticket.messages.length === 2,
  );
  expect(messages[1]).toMatchObject({ author: "guest", content: "You get your money back" });
  expect(waits).toBe("staff");
  expect(await rowOf(stage)).toMatchObject({ answered_at: null });
});

test("a message written outside Discord in a ticket from Discord is posted in its thread too", async () => {
  await using stage = await openDesk();
  const { person } = await customer(stage, "ada");
  await connect(stage, person, "ada");
  const { thread, id } = await openInDiscord(stage, "ada");
  await person.post(`/api/tickets/${id}/messages`, { text: "From the site" });
  await waitForText(stage, thread, "From the site");
  await operate(stage, "tickets", "answer", "1", "From the operator");
  await waitForText(stage, thread, "From the operator");
  expect((await person.get(`/api/tickets/${id}`)).body.data.messages).toHaveLength(3);
});

test("messages written while Discord is down are kept, answered with 202, and posted in order once it is back", async () => {
  await using stage = await openDesk();
  const { person } = await customer(stage, "ada");
  await stage.atDiscord("faults", { api: { away: true }, gateway: { away: true } });
  await eventually(() => stage.shop.bot?.state() === "away");
  const asked = await person.post("/api/tickets", { topic: "device", question: "Hello" });
  expect(asked).toMatchObject({ status: 202, body: { status: 202 } });
  const { id } = asked.body.data;
  for (const text of ["one", "two", "three"])
    expect((await person.post(`/api/tickets/${id}/messages`, { text })).status).toBe(202);
  const { messages } = (await person.get(`/api/tickets/${id}`)).body.data;
  expect(messages.every(({ waiting }: { waiting: boolean }) => waiting)).toBe(true);
  await stage.atDiscord("faults", { api: { away: false }, gateway: { away: false } });
  await eventually(async () => {
    stage.advance(5_000);
    return (await unposted(stage)) === 0;
  });
  const thread = String((await rowsOf(stage))[0]?.["thread_id"]);
  const posted = [...(await textIn(stage, thread)).matchAll(/```\n(\w+)\n```/g)].map(([, text]) => text);
  expect(posted).toEqual(["Hello", "one", "two", "three"]);
  const after = (await person.get(`/api/tickets/${id}`)).body.data.messages;
  expect(after.map(({ waiting }: { waiting: boolean }) => waiting)).toEqual([false, false, false, false]);
});

test("more than a hundred messages written while Discord is away are all posted in order, before the closing message", async () => {
  await using stage = await openDesk();
  const { person } = await customer(stage, "ada");
  const { id } = (await person.post("/api/tickets", { topic: "device", question: "Hello" })).body.data;
  const thread = String((await waitForTicket(stage, placed))["thread_id"]);
  await eventually(async () => (await unposted(stage)) === 0);
  await stage.atDiscord("limits", { enabled: false });
  await stage.atDiscord("faults", { api: { away: true }, gateway: { away: true } });
  await eventually(() => stage.shop.bot?.state() === "away");
  await stage.ctx.store.client.execute({
    sql: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 130)
      INSERT INTO ticket_messages (id, ticket_id, via, author, author_id, author_name, content, at)
      SELECT 'm' || i, ?, 'site', 'member', 'ada', 'ada', 'line ' || i, ? + i FROM n`,
    args: [id, stage.ctx.now().getTime()],
  });
  await person.post(`/api/tickets/${id}/close`);
  await stage.atDiscord("faults", { api: { away: false }, gateway: { away: false } });
  await eventually(async () => {
    stage.advance(5_000);
    return Boolean((await rowOf(stage)).farewell_id);
  });
  const posted = [...(await textIn(stage, thread)).matchAll(/line \d+/g)].map(([text]) => text);
  expect(posted).toEqual(Array.from({ length: 130 }, (_, at) => `line ${at + 1}`));
});

test("a message that was posted but, because of a kill, not stored is found in the thread, however late, and not posted again", async () => {
  await using stage = await openDesk();
  const { person } = await customer(stage, "ada");
  const { id } = (await person.post("/api/tickets", { topic: "device", question: "same" })).body.data;
  const thread = String((await waitForTicket(stage, placed))["thread_id"]);
  for (const text of ["same", "x".repeat(3_000)]) await person.post(`/api/tickets/${id}/messages`, { text });
  const posts = async () => (await textIn(stage, thread)).split("ada (website)").length - 1;
  await eventually(async () => (await unposted(stage)) === 0);
  expect(await posts()).toBe(4);
  const forget = [
    "DELETE FROM ticket_posts WHERE part = 1 OR message_id IN (SELECT id FROM ticket_messages WHERE content = 'same' ORDER BY at DESC LIMIT 1)",
    "UPDATE ticket_messages SET posted_at = NULL WHERE id NOT IN (SELECT message_id FROM ticket_posts) OR length(content) > 9",
  ];
  await stage.restart({
    async meanwhile() {
      const store = createClient({ url: `file:${stage.dataDir}/shop.db` });
      for (const one of forget) await store.execute(one);
      store.close();
      // Discord knows a nonce for five minutes
      stage.advance(10 * minute);
    },
  });
  await person.post(`/api/tickets/${id}/messages`, { text: "last" });
  await waitForText(stage, thread, "last");
  await eventually(async () => (await unposted(stage)) === 0);
  expect(await posts()).toBe(5);
});

test("a long text is posted in parts of at most 2,000 characters, none cut inside a character", async () => {
  await using stage = await openDesk();
  const { person } = await customer(stage, "ada");
  const question = `${"😀".repeat(1_999)}\`\``;
  await person.post("/api/tickets", { topic: "device", question });
  const thread = String((await waitForTicket(stage, placed))["thread_id"]);
  const { messages } = await stage.atDiscord(`channels/${thread}/messages?as=sam`);
  const parts = messages
    .map(({ content }: { content: string }) => content)
    .filter((one: string) => one.startsWith("ada (website)"));
  expect(parts).toHaveLength(3);
  for (const part of parts) {
    expect(part.length).toBeLessThanOrEqual(2_000);
    expect(part.isWellFormed()).toBe(true);
  }
  const whole = parts.map((one: string) => one.split("\n")[2]).join("");
  expect(whole).toBe(question.replaceAll("`", "ˋ"));
});

test("both sides write at once, and each message appears once in the thread and once on the page", async () => {
  await using stage = await openDesk({ env: { LIMITS: "ticket-message=1000/60,own=10000/60" } });
  const { person } = await customer(stage, "ada");
  const { id } = (await person.post("/api/tickets", { topic: "device", question: "Hello" })).body.data;
  const thread = String((await waitForTicket(stage, placed))["thread_id"]);
  await stage.atDiscord("limits", { enabled: false });
  const each = 60;
  await Promise.all(
    Array.from({ length: each }, async (_, at) => {
      const sent = person.post(`/api/tickets/${id}/messages`, { text: `same ${at % 6}` });
      await stage.atDiscord("messages", { user: "sam", channel: thread, content: `answer ${at}` });
      expect((await sent).status).toBe(200);
    }),
  );
  await eventually(async () => (await unposted(stage)) === 0);
  const { body } = await eventually(
    () => person.get(`/api/tickets/${id}`),
    (one) => one.body.next !== null && one.body.data.messages.length === 100,
  );
  const earlier = await person.get(`/api/tickets/${id}?before=${encodeURIComponent(body.next)}`);
  expect(earlier.body.data.messages.length + 100).toBe(2 * each + 1);
  const posts = (await textIn(stage, thread)).split("ada (website)").length - 1;
  expect(posts).toBe(each + 1);
});
