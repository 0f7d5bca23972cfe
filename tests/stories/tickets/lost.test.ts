import { member } from "@/core/base/actor";
import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { day, hour } from "@/contract/vocabulary/time";
import { commit } from "@/core/database/commit";
import { Refusal } from "@/core/base/refusal";
import { startWorker } from "@/core/jobs/worker";
import { topicHandler, topicHandlers } from "@/core/jobs/job-handlers";
import { botTopics } from "@/domain/outbox-topics";
import { eraseTicketsWrites } from "@/domain/tickets/discord/erase";
import { ticketById } from "@/domain/tickets/reading/queries";
import { closeTicket, reopenTicket } from "@/domain/tickets/writing/change";
import { openTicket } from "@/domain/tickets/writing/open";
import { recordMessage } from "@/domain/tickets/discord/record-messages";
import { runTicketTimers } from "@/domain/tickets/discord/timers";
import { GuildUnavailable } from "@/domain/discord/guild";
import { syncTicket, ticketHandlers } from "@/domain/tickets/discord/sync";
import { tickets } from "@/domain/schema/tickets";
import { forgetLostThread } from "@/domain/tickets/reading/thread";
import { ThreadGone, type TicketChannels } from "@/domain/tickets/reading/ticket-channels";
import { eventually, openStage, type Stage } from "../../support/shop/stage";
import {
  ask,
  close,
  openDesk,
  openInDiscord,
  rowsOf,
  textIn,
  threads,
  type,
  waitForText,
  waitForTicket,
} from "../../support/people/tickets";

/** Deletes this many of a ticket's threads, each as soon as it is made. */
async function deleteThreads(stage: Stage, count: number) {
  const gone = new Set<unknown>();
  while (gone.size < count) {
    const { thread_id: thread } = await waitForTicket(stage, (row) =>
      Boolean(row.thread_id && row.greeting_id && !gone.has(row.thread_id)),
    );
    await stage.atDiscord("channels/delete", { channel: thread });
    gone.add(thread);
  }
}

const { inspectTicket, copyFile, eraseAtDiscord, postQueuedMessage } = botTopics;
const ticketTopics = {
  syncTicket: botTopics.syncTicket,
  inspectTicket,
  copyFile,
  eraseAtDiscord,
  postQueuedMessage,
};

test("when every thread of a ticket is deleted, three are made and staff are notified; reopening allows a new one", async () => {
  await using stage = await openDesk();
  const { card } = await openInDiscord(stage, "ada");
  await deleteThreads(stage, 3);
  await waitForText(stage, "staff", "was deleted 3 times, so no new one is created");
  expect((await waitForTicket(stage, ({ threads_lost }) => threads_lost === 3)).thread_id).toBeNull();
  await stage.shop.worker.drain();
  expect(await threads(stage)).toEqual([]);

  await close(stage, card);
  await waitForTicket(stage, ({ state }) => state === "closed");
  expect((await type(stage, "sam", "ticket reopen", { number: 1 })).content).toContain("open again");
  const { thread_id: thread } = await waitForTicket(stage, (row) =>
    Boolean(row.thread_id && row.greeting_id),
  );
  await waitForText(stage, String(thread), "This ticket is open again.");
});

test("when threads are deleted before the greeting is posted, three are made and no more", async () => {
  await using stage = await openStage();
  const { ctx } = stage;
  await openTicket(ctx, { topic: "other", member: { id: "1", name: "Ada" }, question: "Help" });
  let made = 0;
  // something in the server deletes each thread at once
  const channels = {
    makeThread: async () => {
      made += 1;
      if (made > 50) throw new Error("threads are made for ever");
      return String(made);
    },
    addToThread: async () => {
      throw new ThreadGone();
    },
    showCard: async () => "card",
  } as unknown as TicketChannels;
  const worker = startWorker(ctx);
  worker.add([
    topicHandler(botTopics.syncTicket, ({ subject }) =>
      syncTicket(ctx, { channels, files: stage.shop.files }, subject),
    ),
  ]);
  await worker.drain();
  await worker.stop();
  expect(made).toBe(3);
  expect(stage.lines.join()).not.toContain("work failed");
});

test("staff who answer with a tag read that it was posted only after it was", async () => {
  await using stage = await openDesk();
  const first = await openInDiscord(stage, "ada");
  await stage.atDiscord("limits", { activeThreads: 1 });
  await ask(stage, "dora");
  const answer = await type(stage, "sam", "ticket tag", { number: 2, name: "send-log" });
  expect(answer.content).toStartWith("Not posted yet");
  await close(stage, first.card);
  await eventually(async () => Boolean((await rowsOf(stage))[1]?.greeting_id));
  const thread = String((await rowsOf(stage))[1]?.thread_id);
  await waitForText(stage, thread, "please send the file log.txt");
  const again = await type(stage, "sam", "ticket tag", { number: 2, name: "send-log" });
  expect(again.content).toBe("Posted in ticket #2.");
  expect((await textIn(stage, thread)).split("please send the file log.txt")).toHaveLength(3);
});

const fakeChannels = (changes: Partial<TicketChannels>): TicketChannels => ({
  findThread: async () => null,
  makeThread: async () => "100",
  unarchiveThread: async () => {},
  postText: async () => "message",
  ownPosts: async () => [],
  addToThread: async () => "inside",
  removeFromThread: async () => {},
  postGreeting: async () => "greeting",
  postFarewell: async () => "farewell",
  lockThread: async () => {},
  showCard: async () => "card",
  cardExists: async () => true,
  removeThread: async () => {},
  removeCard: async () => {},
  messagesAfter: async () => ({ messages: [], next: null }),
  fetchFile: async () => null,
  ...changes,
});

/** A ticket without Discord, at which `channels` stands in for it. */
async function ticketAt(stage: Stage, channels: TicketChannels) {
  const { ctx } = stage;
  const worker = startWorker(ctx);
  worker.add(topicHandlers(ticketTopics, ticketHandlers(ctx, channels, stage.shop.files)));
  const id = await openTicket(ctx, { topic: "other", member: { id: "1", name: "Ada" }, question: "Help" });
  await worker.drain();
  const row = async () => {
    const ticket = await ticketById(ctx, id);
    if (!ticket) throw new Error("the ticket is gone");
    return ticket;
  };
  const wrote = (authorId: string, messageId: string) =>
    recordMessage(ctx, {
      id: messageId,
      threadId: "100",
      authorId,
      authorName: authorId,
      writer: "person",
      content: "Hello",
      at: ctx.now(),
      editedAt: null,
      files: [],
    });
  return { row, worker, wrote, timers: () => runTicketTimers(ctx, channels) };
}

/** A ticket that staff answered a day ago, with a reminder that could not be posted. */
async function remindedInVain(stage: Stage) {
  const posted: string[] = [];
  const discord = { away: true };
  const channels = fakeChannels({
    async postText(_, { text }) {
      if (discord.away) throw new GuildUnavailable();
      posted.push(text);
      return "message";
    },
  });
  const ticket = await ticketAt(stage, channels);
  await ticket.wrote("2", "101");
  stage.advance(day);
  await ticket.timers();
  await ticket.worker.drain();
  expect(await ticket.row()).toMatchObject({ waitingFor: "member", remindedAt: expect.any(Date) });
  const back = async () => {
    discord.away = false;
    stage.advance(day / 24);
    await ticket.worker.drain();
  };
  return { ...ticket, posted, back };
}

test("a ticket closes two days after its reminder was posted, however late that was", async () => {
  await using stage = await openStage();
  const { row, worker, timers, posted, back } = await remindedInVain(stage);
  stage.advance(5 * day);
  await timers();
  expect((await row()).state).toBe("open");
  await back();
  expect(posted).toHaveLength(1);
  stage.advance(1.9 * day);
  await timers();
  expect((await row()).state).toBe("open");
  stage.advance(0.2 * day);
  await timers();
  expect(await row()).toMatchObject({ state: "closed", closedBy: "shop" });
  await worker.stop();
});

test("a reminder that could not be posted before the member wrote is not posted afterwards", async () => {
  await using stage = await openStage();
  const { worker, wrote, posted, back } = await remindedInVain(stage);
  await wrote("1", "102");
  await back();
  expect(posted).toEqual([]);
  await worker.stop();
});

test("a ticket reopened while its closing message is being posted gets another one when it closes again", async () => {
  await using stage = await openStage();
  const { ctx } = stage;
  const farewells: number[] = [];
  const { row, worker } = await ticketAt(
    stage,
    fakeChannels({
      async postFarewell(_, ticket) {
        farewells.push(ticket.round);
        if (ticket.round === 1) await reopenTicket(ctx, ticket, member("1"));
        return `farewell-${ticket.round}`;
      },
    }),
  );
  const closing = { actor: member("1"), reason: null };
  for (const _ of [1, 2]) {
    await closeTicket(ctx, await row(), closing);
    await worker.drain();
  }
  expect(farewells).toEqual([1, 2]);
  expect(await row()).toMatchObject({ state: "closed", farewellId: "farewell-2" });
  await worker.stop();
});

test("a thread lost while its greeting is being posted is replaced by one with a greeting", async () => {
  await using stage = await openStage();
  const { ctx } = stage;
  const threads: string[] = [];
  const greeted: string[] = [];
  const { row, worker } = await ticketAt(
    stage,
    fakeChannels({
      async makeThread() {
        threads.push(String(100 + threads.length));
        return threads.at(-1) ?? "";
      },
      async postGreeting(threadId, { id }) {
        greeted.push(threadId);
        const now = await ticketById(ctx, id);
        if (now && greeted.length === 1) await forgetLostThread(ctx, now);
        return `greeting-${threadId}`;
      },
    }),
  );
  stage.advance(10_000);
  await worker.drain();
  expect(greeted).toEqual(["100", "101"]);
  expect(await row()).toMatchObject({ threadId: "101", greetingId: "greeting-101" });
  await worker.stop();
});

for (const late of ["thread", "card"]) {
  test(`a ${late} made while its ticket is being erased is deleted again`, async () => {
    await using stage = await openStage();
    const { ctx } = stage;
    await openTicket(ctx, { topic: "other", member: { id: "1", name: "Ada" }, question: "Help" });
    const erasedDuring = async (what: string) => {
      if (what === late) await commit(ctx.store, await eraseTicketsWrites(ctx, eq(tickets.number, 1)));
      return what;
    };
    const removed: string[] = [];
    const remove = async (id: string) => void removed.push(id);
    const channels = fakeChannels({
      makeThread: () => erasedDuring("thread"),
      showCard: () => erasedDuring("card"),
      removeThread: remove,
      removeCard: remove,
    });
    const worker = startWorker(ctx);
    worker.add(topicHandlers(ticketTopics, ticketHandlers(ctx, channels, stage.shop.files)));
    await worker.drain();
    await worker.stop();
    expect(removed.toSorted()).toEqual(late === "thread" ? ["thread"] : ["card", "thread"]);
  });
}

test("a ticket is never continued in the thread of an earlier ticket with its number", async () => {
  await using stage = await openDesk();
  const { thread } = await openInDiscord(stage, "ada");
  // as after restoring a backup that lacks Ada's ticket
  await stage.ctx.store.client.execute("DELETE FROM tickets");
  stage.advance(hour);
  const lost = { fail: 503, method: "POST", path: "/threads", when: "after" };
  await stage.atDiscord("faults", { api: { next: [lost] } });
  await ask(stage, "dora");
  const row = await waitForTicket(stage, ({ thread_id, greeting_id }) => Boolean(thread_id && greeting_id));
  expect(row.number).toBe(1);
  expect(row.thread_id).not.toBe(thread);
  expect(JSON.stringify(await stage.atDiscord("visible?as=dora"))).not.toContain(thread);
});

test("a thread that the database can't store for a moment is kept, and found again", async () => {
  await using stage = await openStage();
  let failing = false;
  const client = new Proxy(stage.ctx.store.client, {
    get(target, name) {
      if (name !== "batch" || !failing) return Reflect.get(target, name);
      failing = false;
      return () => Promise.reject(new Refusal("unavailable"));
    },
  });
  const ctx = { ...stage.ctx, store: { ...stage.ctx.store, client } };
  const id = await openTicket(ctx, { topic: "other", member: { id: "1", name: "Ada" }, question: "Help" });
  const removed: string[] = [];
  const channels = {
    makeThread: async () => {
      failing = true;
      return "thread";
    },
    findThread: async () => "thread",
    addToThread: async () => "inside",
    postGreeting: async () => "greeting",
    showCard: async () => "card",
    removeThread: async (thread: string) => void removed.push(thread),
  } as unknown as TicketChannels;
  const worker = startWorker(ctx);
  worker.add(topicHandlers(ticketTopics, ticketHandlers(ctx, channels, stage.shop.files)));
  await worker.drain();
  stage.advance(2_000);
  await worker.drain();
  await worker.stop();
  expect(removed).toEqual([]);
  expect(await ticketById(ctx, id)).toMatchObject({ threadId: "thread", cardId: "card" });
});
