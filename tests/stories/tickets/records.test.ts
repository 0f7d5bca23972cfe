import { expect, test } from "bun:test";
import { eq, type SQL } from "drizzle-orm";
import { day } from "@/contract/vocabulary/time";
import { commit } from "@/core/database/commit";
import { tickets } from "@/domain/schema/tickets";
import { openTicket } from "@/domain/tickets/writing/open";
import { eraseTicketsWrites } from "@/domain/tickets/discord/erase";
import { connect, customer } from "../../support/people/discord";
import { operate } from "../../support/operator/run-operator";
import { eventually, openStage, type Stage } from "../../support/shop/stage";
import {
  close,
  kept,
  messagesIn,
  openDesk,
  openInDiscord,
  pressLabel,
  rowsOf,
  textIn,
  threads,
  type,
  waitForTicket,
} from "../../support/people/tickets";

const pixel = Buffer.from("\x89PNG\r\n\x1a\nrest", "latin1").toString("base64");

/** A connected member's ticket with messages from both sides, a picture and a staff note. */
async function conversation(stage: Stage) {
  const { person } = await customer(stage, "ada");
  await connect(stage, person, "ada");
  const ticket = await openInDiscord(stage, "ada", { text: "My key does nothing" });
  const { thread, card } = ticket;
  const files = [{ filename: "shot.png", base64: pixel }];
  await stage.atDiscord("messages", { user: "ada", channel: thread, content: "It looks like this", files });
  await stage.atDiscord("messages", { user: "sam", channel: thread, content: "Try again now" });
  const { interaction } = await pressLabel(stage, "sam", card, "Note");
  await stage.atDiscord("interact/modal", { user: "sam", interaction, fields: { text: "knows our secret" } });
  await eventually(
    async () =>
      (await stage.ctx.store.client.execute("SELECT state FROM ticket_files")).rows[0]?.state === "kept",
  );
  await eventually(async () => (await kept(stage)).some(({ content }) => content === "Try again now"));
  return { person, ...ticket };
}

test("only the member can download a ticket as text", async () => {
  await using stage = await openDesk();
  const { person, id } = await conversation(stage);
  const answer = await person.get(`/api/tickets/${id}/transcript`);
  expect(answer.headers.get("content-disposition")).toBe('attachment; filename="ticket-1.txt"');
  expect(answer.headers.get("content-type")).toMatch(/^text\/plain/);
  const text = String(answer.body);
  for (const words of ["Asked: My key does nothing", "It looks like this", "file: shot.png", "Try again now"])
    expect(text).toContain(words);
  const [{ discord_user_id: number } = {}] = await rowsOf(stage);
  expect(text).not.toContain(String(number));
  const { person: stranger } = await customer(stage, "dora");
  expect((await stranger.get(`/api/tickets/${id}/transcript`)).status).toBe(404);
  expect((await stage.person().get(`/api/tickets/${id}/transcript`)).status).toBe(401);
});

test("an account's export contains its tickets with all messages and without staff notes", async () => {
  await using stage = await openDesk();
  const { person, thread, id } = await conversation(stage);
  const own = (await person.get("/api/user/export")).body.data.tickets;
  expect(own).toMatchObject([{ id, number: 1, question: "My key does nothing", state: "open" }]);
  const theirs = JSON.parse((await operate(stage, "accounts", "export", "ada")).out).tickets;
  for (const [{ messages }] of [own, theirs]) {
    const texts = messages.map(({ content }: { content: string }) => content);
    expect(texts).toContain("It looks like this");
    expect(texts).toContain("Try again now");
    expect(JSON.stringify(messages)).toContain("shot.png");
  }
  const seen = [
    own,
    theirs,
    (await person.get(`/api/tickets/${id}`)).body,
    (await person.get(`/api/tickets/${id}/transcript`)).body,
  ];
  expect(JSON.stringify(seen)).not.toContain("knows our secret");
  expect(await textIn(stage, thread)).not.toContain("knows our secret");
  expect(JSON.stringify(await stage.atDiscord("visible?as=ada"))).not.toContain("knows our secret");
});

test("deleting an account erases its tickets, here and at Discord", async () => {
  await using stage = await openDesk();
  const { person, card } = await conversation(stage);
  const [{ discord_user_id: number } = {}] = await rowsOf(stage);
  await openInDiscord(stage, "dora");
  await type(stage, "sam", "ticket add", { number: 2, member: "ada" });
  const { thread_id: other } = await waitForTicket(stage, ({ thread_id }) => Boolean(thread_id));
  await eventually(async () =>
    (await threads(stage)).some((one) => one.id === other && one.members.includes(number)),
  );
  await stage.atDiscord("messages", { user: "ada", channel: other, content: "I have that too" });
  await eventually(async () => (await kept(stage)).some(({ content }) => content === "I have that too"));
  const deleted = await person.post("/api/user/delete", { password: "a long enough phrase" });
  expect(deleted.body).toEqual({ status: 200, data: null });
  expect((await rowsOf(stage)).map((row) => row.number)).toEqual([2]);
  expect(await stage.count("ticket_files")).toBe(0);
  const left = (await kept(stage)).find(({ content }) => content === "I have that too");
  expect(left).toMatchObject({ author_name: "Deleted account", author_id: "" });
  const { rows: log } = await stage.ctx.store.client.execute("SELECT * FROM audit_log");
  expect(log.filter((row) => JSON.stringify(row.actor).includes(String(number)))).toEqual([]);
  await eventually(async () => (await threads(stage)).every(({ name }) => !name.startsWith("#1 ")));
  await eventually(async () => (await messagesIn(stage, "staff", "sam")).every((one) => one.id !== card));
});

test("the number of an erased ticket is never used again, even if it was the highest", async () => {
  await using stage = await openStage();
  const { ctx } = stage;
  const open = async (user: string) => {
    const member = { id: user, name: user };
    const id = await openTicket(ctx, { topic: "other", member, question: "Help" });
    return (await rowsOf(stage)).find((row) => row.id === id)?.number;
  };
  const erase = async (which: SQL | undefined) => commit(ctx.store, await eraseTicketsWrites(ctx, which));
  expect([await open("1"), await open("2"), await open("3")]).toEqual([1, 2, 3]);
  await erase(eq(tickets.number, 3));
  expect(await open("4")).toBe(4);
  await erase(eq(tickets.number, 1));
  expect(await open("5")).toBe(5);
  await erase(undefined);
  await erase(undefined);
  expect(await open("6")).toBe(6);
});

test("a closed ticket's page says until when it can be reopened, and nothing after that", async () => {
  await using stage = await openDesk();
  const { card, person, id } = await conversation(stage);
  const until = async () => (await person.get(`/api/tickets/${id}`)).body.data.reopen_until;
  expect(await until()).toBeNull();
  await close(stage, card, "Solved");
  const row = await waitForTicket(stage, ({ state }) => state === "closed");
  expect(await until()).toBe(new Date(Number(row.closed_at) + 7 * day).toISOString());
  for (let days = 0; days < 7; days += 3.5) {
    stage.advance(3.5 * day);
    await person.get("/api/user/me");
  }
  expect(await until()).toBeNull();
});
