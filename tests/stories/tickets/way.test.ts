import { expect, test } from "bun:test";
import { minute } from "@/contract/vocabulary/time";
import { connect, customer } from "../../support/people/discord";
import { eventually } from "../../support/shop/stage";
import {
  ask,
  kept,
  messagesIn,
  openDesk,
  openInDiscord,
  press,
  pressLabel,
  rowsOf,
  threads,
  waitForTicket,
} from "../../support/people/tickets";

test("a member asks through the panel, and a private thread opens with the question", async () => {
  await using stage = await openDesk();
  const answer = await ask(stage, "ada", { text: "My key does nothing" });
  expect(answer.ephemeral).toBe(true);
  const { thread } = await openInDiscord(stage, "dora");
  expect(await threads(stage)).toHaveLength(2);
  const [first] = await rowsOf(stage);
  expect(answer.content).toBe(`Your ticket is open: <#${first?.thread_id}>`);
  const messages = await messagesIn(stage, String(first?.thread_id), "ada");
  expect(messages.map(({ content }) => content).join()).toContain("My key does nothing");
  expect(messages.map(({ content }) => content).join()).toContain("isn't connected");
  expect(JSON.stringify(await stage.atDiscord("visible?as=ada"))).not.toContain(thread);
  expect((await messagesIn(stage, thread, "sam")).length).toBeGreaterThan(0);
});

test("buttons work where the server writes out a message's missing thread as null", async () => {
  await using stage = await openDesk();
  await stage.atDiscord("faults", { api: { nullThreads: true } });
  await openInDiscord(stage, "ada");
  expect(stage.lines.filter((line) => line.includes("was contained"))).toEqual([]);
});

test("a malformed list of threads is logged in one line and requested again", async () => {
  await using stage = await openDesk();
  const answer = { status: 200, body: { threads: null } };
  const fault = { fail: "answer", answer, count: 1_000, path: "/threads/active" };
  await stage.atDiscord("faults", { api: { next: [fault] } });
  await ask(stage, "ada");
  const line = "UnlikeDiscord GET /guilds/:id/threads/active: no threads";
  await eventually(() => {
    // the bot checks its server again
    stage.advance(minute);
    return stage.lines.some((one) => one.includes(line));
  });
  expect(stage.lines.filter((one) => one.includes("TypeError"))).toEqual([]);
  await stage.atDiscord("faults", { api: { next: [] } });
  await eventually(async () => {
    stage.advance(5_000);
    return Boolean((await rowsOf(stage))[0]?.thread_id);
  });
});

test("staff see the customer's details in their own channel, and members don't", async () => {
  await using stage = await openDesk();
  const { key } = await stage.buy();
  const person = stage.person();
  await person.register(key, "ada");
  await connect(stage, person, "ada");
  const { card } = await openInDiscord(stage, "ada");
  const [seen] = (await messagesIn(stage, "staff", "sam")).filter(({ id }) => id === card);
  const text = JSON.stringify(seen);
  expect(text).toContain("ada@example.com");
  expect(text).toContain("USD 5.00, succeeded");
  expect(text).not.toContain(key);
  for (const member of ["ada", "dora", "mallory"]) {
    const visible = JSON.stringify(await stage.atDiscord(`visible?as=${member}`));
    expect(visible).not.toContain("ada@example.com");
    expect(visible).not.toContain("USD 5.00");
  }
});

test("messages are kept with their edits and deletions, and only their owner reads them on the site", async () => {
  await using stage = await openDesk();
  const { person } = await customer(stage, "ada");
  await connect(stage, person, "ada");
  const { id, thread } = await openInDiscord(stage, "ada");
  const first = await stage.atDiscord("messages", {
    user: "ada",
    channel: thread,
    content: "It says <b>no</b>",
  });
  await stage.atDiscord("messages/edit", { user: "ada", message: first.id, content: "It says never" });
  const answer = await stage.atDiscord("messages", { user: "sam", channel: thread, content: "Look again" });
  await stage.atDiscord("messages/delete", { user: "sam", message: answer.id });
  await eventually(
    () => kept(stage),
    (rows) =>
      rows.some(({ deleted_at }) => deleted_at !== null) && rows.some(({ edited_at }) => edited_at !== null),
  );
  const list = await person.get("/api/tickets");
  expect(list.body.data).toMatchObject([{ id, number: 1, topic: "License", state: "open" }]);
  const { body } = await person.get(`/api/tickets/${id}`);
  const texts = body.data.messages.map((one: { content: string }) => one.content);
  expect(texts.slice(-2)).toEqual(["It says never", "Look again"]);
  expect(body.data.messages.at(-2)).toMatchObject({
    author: "member",
    before: ["It says <b>no</b>"],
    deleted: false,
  });
  expect(body.data.messages.at(-1)).toMatchObject({ author: "staff", name: "Sam (support)", deleted: true });
  const { person: stranger } = await customer(stage, "dora");
  await connect(stage, stranger, "dora");
  expect((await stranger.get("/api/tickets")).body.data).toEqual([]);
  expect((await stranger.get(`/api/tickets/${id}`)).body).toMatchObject({
    status: 404,
    code: "ticket_unknown",
  });
  expect((await stage.person().get(`/api/tickets/${id}`)).status).toBe(401);
});

test("staff close a ticket with a reason, its thread is locked, and the member is asked for a rating", async () => {
  await using stage = await openDesk();
  const { thread, card, id } = await openInDiscord(stage, "ada");
  const { interaction } = await pressLabel(stage, "sam", card, "Close");
  const closed = await stage.atDiscord("interact/modal", {
    user: "sam",
    interaction,
    fields: { text: "Solved it" },
  });
  expect(closed.content).toBe("Ticket #1 is closed.");
  await eventually(async () => (await threads(stage))[0].thread_metadata.locked);
  const row = await waitForTicket(stage, ({ farewell_id }) => Boolean(farewell_id));
  expect(row).toMatchObject({ state: "closed", closed_by: "staff", close_reason: "Solved it" });
  const rated = await press(stage, "ada", String(row.farewell_id), `ticket-stars:${id}:4`);
  expect(rated.content).toContain("★★★★");
  expect((await press(stage, "sam", String(row.farewell_id), `ticket-stars:${id}:1`)).content).toContain(
    "someone else",
  );
  expect((await rowsOf(stage))[0]?.stars).toBe(4);
  const form = await pressLabel(stage, "ada", rated.messages[0].id, "Tell us what could be better");
  const say = (text: string) =>
    stage.atDiscord("interact/modal", { user: "ada", interaction: form.interaction, fields: { text } });
  expect((await say("\u200b \u200b")).content).toBe("Your message was empty.");
  expect((await say("The answer came late")).content).toBe("Thank you. Our team reads every comment.");
  expect((await rowsOf(stage))[0]).toMatchObject({ stars: 4, rating_comment: "The answer came late" });
  await eventually(async () =>
    JSON.stringify(await messagesIn(stage, "staff", "sam")).includes("The answer came late"),
  );
  const messages = await messagesIn(stage, thread, "ada");
  expect(messages.map(({ content }) => content).join()).toContain("Solved it");
});
