import { expect, test } from "bun:test";
import { day, hour } from "@/contract/vocabulary/time";
import { connect, customer } from "../../support/people/discord";
import { eventually } from "../../support/shop/stage";
import {
  ask,
  close,
  messagesIn,
  openDesk,
  openInDiscord,
  passTime,
  press,
  pressLabel,
  rowsOf,
  textIn,
  type,
  waitForText,
  waitForTicket,
} from "../../support/people/tickets";

/** Nobody waits here for Discord's limits, which end by the real clock. */
const discord = { limits: { enabled: false } };

test("a member opens, closes and reopens a ticket by command in any channel", async () => {
  await using stage = await openDesk({ discord });
  const offered = await type(stage, "ada", "support open", { topic: "licence" });
  expect(offered.ephemeral).toBe(true);
  expect(JSON.stringify(offered.messages)).toContain("I lost my key");
  const { interaction } = await pressLabel(stage, "ada", offered.messages[0].id, "Open a ticket");
  const fields = { text: "My key does nothing" };
  const answer = await stage.atDiscord("interact/modal", { user: "ada", interaction, fields });
  expect(answer.content).toStartWith("Your ticket is open: <#");

  expect(await type(stage, "ada", "support close")).toMatchObject({
    ephemeral: true,
    content: "Ticket #1 is closed.",
  });
  expect((await type(stage, "ada", "support close")).content).toBe("You have no open ticket.");
  const row = await waitForTicket(stage, ({ farewell_id }) => Boolean(farewell_id));
  const { id, thread_id: thread, farewell_id: farewell } = row;
  expect(await textIn(stage, String(thread))).toContain("was closed by you");
  expect((await type(stage, "ada", "support reopen")).content).toBe("Ticket #1 is open again.");
  expect((await press(stage, "ada", String(farewell), `ticket-stars:${id}:5`)).content).toBe(
    "You can rate this ticket once it's closed.",
  );
  await waitForText(stage, String(thread), "This ticket is open again.");
  expect((await type(stage, "ada", "support reopen")).content).toBe(
    "You have no ticket that can be reopened.",
  );
  expect((await type(stage, "ada", "support reopen", { number: 1 })).content).toContain("can't be reopened");
});

test("with several tickets the member names one by its number or uses its thread, and learns nothing about other people's", async () => {
  await using stage = await openDesk({ discord });
  const first = await openInDiscord(stage, "ada", { topic: "licence" });
  await openInDiscord(stage, "ada", { topic: "device" });
  expect((await type(stage, "ada", "support close")).content).toBe("Which one? #1, #2.");
  expect((await type(stage, "dora", "support close", { number: 1 })).content).toBe(
    "You have no open ticket.",
  );
  await openInDiscord(stage, "dora");
  for (const command of ["support close", "support reopen"]) {
    expect((await type(stage, "dora", command, { number: 1 })).content).toBe("There is no such ticket.");
  }
  expect((await type(stage, "ada", "support close", { number: 2 })).content).toBe("Ticket #2 is closed.");
  expect((await type(stage, "ada", "support close", { in: first.thread })).content).toBe(
    "Ticket #1 is closed.",
  );
  expect((await rowsOf(stage)).map(({ state }) => state)).toEqual(["closed", "closed", "open"]);
});

test("staff close and reopen a ticket by command, in its thread or by number, and their role is checked each time", async () => {
  await using stage = await openDesk({ discord });
  const { thread } = await openInDiscord(stage, "ada");
  expect(await type(stage, "ada", "ticket close", { number: 1, reason: "Mine" }).catch(String)).toContain(
    "can't be used by this person",
  );
  expect((await type(stage, "sam", "ticket close", { reason: "Solved" })).content).toBe(
    "There is no such ticket.",
  );
  const closed = await type(stage, "sam", "ticket close", { in: thread, reason: "Solved" });
  expect(closed).toMatchObject({ ephemeral: true, content: "Ticket #1 is closed." });
  await waitForTicket(stage, ({ farewell_id }) => Boolean(farewell_id));
  expect((await type(stage, "sue", "ticket close", { number: 1, reason: "Twice" })).content).toBe(
    "That ticket is already closed.",
  );
  expect((await type(stage, "sue", "ticket reopen", { number: 1 })).content).toBe("Ticket #1 is open again.");
  // permission to moderate shows the command, but only the support role may use it
  await stage.atDiscord("roles", { user: "sue", role: "Support", give: false });
  await stage.atDiscord("bot", {});
  const late = await type(stage, "olivia", "ticket close", { number: 1, reason: "I own it" });
  expect(late).toMatchObject({ ephemeral: true, content: "Only the support team can do this." });
  const { rows } = await stage.ctx.store.client.execute(
    "SELECT action, reason FROM audit_log WHERE subject = (SELECT id FROM tickets) ORDER BY id",
  );
  expect(rows.map(({ action, reason }) => [action, reason])).toEqual([
    ["ticket.opened", null],
    ["ticket.closed", "Solved"],
    ["ticket.reopened", null],
  ]);
});

test("a ticket can't be reopened a week after it was closed, nor while the member has three others open", async () => {
  await using stage = await openDesk({ discord });
  const { card } = await openInDiscord(stage, "ada");
  await close(stage, card);
  await waitForTicket(stage, ({ farewell_id }) => Boolean(farewell_id));
  for (const topic of ["licence", "licence", "device"]) await ask(stage, "ada", { topic });
  expect((await type(stage, "ada", "support open", { topic: "other" })).content).toMatch(
    /^You already have 3 open tickets: <#\d+>, <#\d+>, <#\d+>\. Please continue in one of them/,
  );
  expect((await type(stage, "ada", "support reopen", { number: 1 })).content).toBe(
    "There are already three open tickets. Close one of them first.",
  );
  stage.advance(7 * day + 1);
  for (const [user, command] of [
    ["ada", "support reopen"],
    ["sam", "ticket reopen"],
  ] as const) {
    expect((await type(stage, user, command, { number: 1 })).content).toContain("can't be reopened");
  }
});

test("a guest of a ticket is added to its next thread too", async () => {
  await using stage = await openDesk({ discord });
  const { thread } = await openInDiscord(stage, "ada");
  const add = (member: string) => type(stage, "sam", "ticket add", { number: 1, member });
  const sees = async (user: string, channel: unknown) =>
    JSON.stringify(await stage.atDiscord(`visible?as=${user}`)).includes(`"id":"${String(channel)}"`);
  expect(await sees("dora", thread)).toBe(false);
  expect((await add("dora")).content).toContain("can read ticket #1 now");
  await eventually(() => sees("dora", thread));
  expect((await add("tim").catch(String)).content ?? "aren't in the server").toContain("aren't in th");
  await stage.atDiscord("channels/delete", { channel: thread });
  const row = await waitForTicket(
    stage,
    ({ thread_id, greeting_id }) => Boolean(greeting_id) && thread_id !== thread,
  );
  await eventually(() => sees("dora", row.thread_id));
  expect(await sees("mallory", row.thread_id)).toBe(false);
  expect((await messagesIn(stage, String(row.thread_id), "ada")).length).toBeGreaterThan(0);
  await type(stage, "sam", "ticket close", { number: 1, reason: "Done" });
  expect((await add("mallory")).content).toBe("That ticket is already closed.");
});

test("a guest who can't see the support channel is refused, and the ticket stays open", async () => {
  await using stage = await openDesk({ discord });
  const { card, id } = await openInDiscord(stage, "ada");
  await stage.atDiscord("channels/overwrite", {
    channel: "support",
    role: "@everyone",
    deny: ["VIEW_CHANNEL"],
  });
  const text = await eventually(
    () => type(stage, "sam", "ticket add", { number: 1, member: "dora" }),
    ({ content }) => content.includes("can't see"),
  );
  expect(text.content).toBe("They can't see the support channel, so they can't see its threads.");
  // the ticket's own member can no longer be added either, and staff carry on with it
  await press(stage, "sam", card, `ticket-claim:${id}`);
  await eventually(async () =>
    JSON.stringify(await messagesIn(stage, "staff", "sam")).includes("ticket-unclaim"),
  );
  expect((await rowsOf(stage))[0]?.state).toBe("open");
});

test("lists come a page at a time, the longest waiting first", async () => {
  await using stage = await openDesk({ discord });
  await stage.atDiscord("limits", { enabled: false });
  const { members } = await stage.atDiscord("seed-members", { count: 23, prefix: "asker" });
  for (const { username } of members) {
    await ask(stage, username, { topic: "other" });
    stage.advance(1_000);
  }
  await eventually(
    () => rowsOf(stage),
    (rows) => rows.length === 23 && rows.every(({ card_id }) => card_id),
  );
  const [answered] = await rowsOf(stage);
  await stage.atDiscord("messages", { user: "sam", channel: answered?.thread_id, content: "Hello" });
  await eventually(async () => (await rowsOf(stage))[0]?.waiting_for === "member");
  const numbersOn = (content: string) => [...content.matchAll(/\*\*#(\d+)\*\*/g)].map(([, n]) => Number(n));
  const listed = await Promise.all(
    [undefined, 2, 3, 99].map((page) => type(stage, "sam", "ticket list", page ? { page } : {})),
  );
  const [first, second, third, beyond] = listed.map(({ content }) => content);
  expect(numbersOn(first)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  expect(numbersOn(second)).toEqual([12, 13, 14, 15, 16, 17, 18, 19, 20, 21]);
  expect(numbersOn(third)).toEqual([22, 23, 1]);
  expect(third).toEndWith("Page 3 of 3");
  expect(beyond).toBe(third);
  for (const one of [first, second, third]) expect(one.length).toBeLessThanOrEqual(2_000);
  expect((await type(stage, "sam", "ticket find", { member: "asker25" })).content).not.toContain("Page");
});

test("stats show open and waiting tickets, the time to the first answer, and the ratings", async () => {
  await using stage = await openDesk({ discord });
  const stats = async () => (await type(stage, "sam", "ticket stats")).content;
  expect(await stats()).toBe(
    "Open: 0, of which 0 are waiting for us.\nIn the last 30 days: 0 opened.\nMedian time to the first answer: none yet.\nAverage rating: none yet.",
  );
  const waits = { ada: hour, dora: 3 * hour, mallory: 10 * hour };
  for (const [user, wait] of Object.entries(waits)) {
    const { thread } = await openInDiscord(stage, user);
    stage.advance(wait);
    await stage.atDiscord("messages", { user: "sam", channel: thread, content: "Hello" });
    await waitForTicket(stage, ({ first_answer_at }) => first_answer_at !== null);
  }
  for (const [number, user, stars] of [
    [1, "ada", 5],
    [2, "dora", 2],
  ] as const) {
    await type(stage, "sam", "ticket close", { number, reason: "Done" });
    const row = await eventually(
      async () => (await rowsOf(stage)).find((one) => one.number === number),
      (one) => Boolean(one?.farewell_id),
    );
    await pressLabel(stage, user, String(row?.farewell_id), "★".repeat(stars));
  }
  await openInDiscord(stage, "olivia", { topic: "payment" });
  expect(await stats()).toBe(
    "Open: 2, of which 1 are waiting for us.\nIn the last 30 days: 4 opened.\nMedian time to the first answer: 3 hours.\nAverage rating: 3.5 of 5 (2).",
  );
  // a second rating replaces the first and counts once
  const [ada] = await rowsOf(stage);
  await pressLabel(stage, "ada", String(ada?.farewell_id), "★");
  expect(await stats()).toContain("Average rating: 1.5 of 5 (2).");
  await passTime(stage, 31 * day);
  expect(await stats()).toContain("In the last 30 days: 0 opened.");
});

test("a ticket moved to another topic says so in its thread", async () => {
  await using stage = await openDesk({ discord });
  const { person } = await customer(stage, "ada");
  await connect(stage, person, "ada");
  const { thread } = await openInDiscord(stage, "ada", { topic: "licence" });
  await type(stage, "sam", "ticket transfer", { in: thread, topic: "device" });
  await waitForText(stage, thread, "This ticket is now about Device.");
  expect((await rowsOf(stage)).map(({ topic }) => topic)).toEqual(["device"]);
});
