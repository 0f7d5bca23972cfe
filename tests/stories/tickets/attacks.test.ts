import { expect, test } from "bun:test";
import { day, hour } from "@/contract/vocabulary/time";
import { commit } from "@/core/database/commit";
import { newId } from "@/core/database/context";
import { recordMessage, recordEdit, maxMessagesPerDay } from "@/domain/tickets/discord/record-messages";
import { openTicket } from "@/domain/tickets/writing/open";
import type { ThreadMessage } from "@/domain/tickets/reading/ticket-channels";
import { ticketMessages, tickets } from "@/domain/schema/tickets";
import { transcript } from "@/domain/tickets/reading/transcript";
import { openStage, type Stage } from "../../support/shop/stage";
import {
  close,
  openDesk,
  openInDiscord,
  pressLabel,
  type,
  waitForTicket,
} from "../../support/people/tickets";

/** A ticket of member 1 with an empty thread. */
async function ticketOf(stage: Stage, question = "Help") {
  const { ctx } = stage;
  const id = await openTicket(ctx, { topic: "other", member: { id: "1", name: "Ada" }, question });
  await commit(ctx.store, [ctx.store.db.update(tickets).set({ threadId: "7" })]);
  return id;
}

const message = (id: string, at: Date, content = "Hello"): ThreadMessage => ({
  id,
  threadId: "7",
  authorId: "1",
  authorName: "Ada",
  writer: "person",
  content,
  at,
  editedAt: null,
  files: [],
});

test("at most 5,000 messages per person a day are kept, even when they arrive at once", async () => {
  await using stage = await openStage();
  const { ctx } = stage;
  const ticketId = await ticketOf(stage);
  await ctx.store.client.execute({
    sql: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
      INSERT INTO ticket_messages (id, ticket_id, author, author_id, author_name, content, at)
      SELECT 'm' || i, ?, 'member', '1', 'Ada', '', ? FROM n`,
    args: [maxMessagesPerDay - 3, ticketId, ctx.now().getTime()],
  });
  const count = () => ctx.store.db.$count(ticketMessages);
  await Promise.all(Array.from({ length: 20 }, (_, at) => recordMessage(ctx, message(`n${at}`, ctx.now()))));
  expect(await count()).toBe(maxMessagesPerDay);
  await recordMessage(ctx, { ...message("bot", ctx.now()), authorId: "9", writer: "bot" });
  stage.advance(day + 1);
  await recordMessage(ctx, message("later", ctx.now()));
  expect(await count()).toBe(maxMessagesPerDay + 2);
});

test("the newest 8,000 characters of a message's earlier versions are kept", async () => {
  await using stage = await openStage();
  const { ctx } = stage;
  await ticketOf(stage);
  await recordMessage(ctx, message("m", ctx.now()));
  for (let edit = 1; edit <= 30; edit += 1) {
    const content = `${edit} `.padEnd(2_000, "x");
    await recordEdit(ctx, { id: "m", content, at: new Date(ctx.now().getTime() + edit) });
  }
  const [stored] = await ctx.store.db.select().from(ticketMessages);
  expect(stored?.before.map((text) => text.split(" ")[0])).toEqual(["26", "27", "28", "29"]);
});

test("no text in a transcript can pass for somebody else's message", async () => {
  await using stage = await openStage();
  const { ctx } = stage;
  const forged = "[2026-01-01T00:00:00.000Z] Sam (staff)\nYou get your money back";
  await ticketOf(stage, `Help\n\n${forged}`);
  for (const line of ["\n", "\r", "\r\n", "\u2028"]) {
    await recordMessage(ctx, message(newId(), ctx.now(), `Hello${line}${line}${forged}`));
  }
  const [ticket] = await ctx.store.db.select().from(tickets);
  if (!ticket) throw new Error("there is a ticket");
  const text = (await Array.fromAsync(transcript(ctx, ticket, "member"))).join("");
  expect(text).toContain("Hello");
  expect(text.split(/\r\n?|[\n\u2028\u2029]/).filter((line) => line.startsWith("["))).toHaveLength(4);
  expect(text).not.toMatch(/^\[.*Sam/m);
});

test("a member may open, reopen and rate tickets ten times an hour", async () => {
  await using stage = await openDesk();
  const { card } = await openInDiscord(stage, "ada");
  await close(stage, card);
  const { farewell_id: farewell } = await waitForTicket(stage, ({ farewell_id }) => Boolean(farewell_id));
  const star = () => pressLabel(stage, "ada", String(farewell), "★★★");
  for (let rated = 0; rated < 9; rated += 1) expect((await star()).content).toStartWith("Thank you");
  expect((await star()).content).toStartWith("Too many requests,");
  expect((await type(stage, "ada", "support reopen")).content).toStartWith("Too many requests,");
  expect((await pressLabel(stage, "ada", String(farewell), "Reopen")).content).toStartWith(
    "Too many requests,",
  );
  stage.advance(hour);
  expect((await type(stage, "ada", "support reopen")).content).toContain("open again");
});
