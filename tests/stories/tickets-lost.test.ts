import { expect, test } from "bun:test";
import { startWorker } from "@/core/worker";
import { openTicket, syncTopic } from "@/domain/tickets/open";
import { syncTicket } from "@/domain/tickets/sync";
import { ThreadGone, type TicketChannels } from "@/domain/tickets/ticket-channels";
import { eventually, openStage, type Stage } from "../stage";
import {
  ask,
  close,
  comesToSay,
  openDesk,
  opened,
  rowsOf,
  saidIn,
  threads,
  ticketIs,
  toldStaff,
  type,
} from "../tickets";

/** Deletes this many of a ticket's threads, each as soon as it is made. */
async function deleteThreads(stage: Stage, count: number) {
  const gone = new Set<unknown>();
  while (gone.size < count) {
    const { thread_id: thread } = await ticketIs(stage, (row) =>
      Boolean(row.thread_id && row.greeting_id && !gone.has(row.thread_id)),
    );
    await stage.atDiscord("channels/delete", { channel: thread });
    gone.add(thread);
  }
}

test("when every thread of a ticket gets deleted, three are made and staff are told; reopening allows a new one", async () => {
  await using stage = await openDesk();
  const { card } = await opened(stage, "ada");
  await deleteThreads(stage, 3);
  await eventually(
    () => toldStaff(stage),
    (told) => told.includes("was deleted 3 times, so no new one is created"),
  );
  expect((await ticketIs(stage, ({ threads_lost }) => threads_lost === 3)).thread_id).toBeNull();
  await stage.shop.worker.drain();
  expect(await threads(stage)).toEqual([]);
  expect((await ask(stage, "ada")).content).toContain("its thread will open soon");

  await close(stage, card);
  await ticketIs(stage, ({ state }) => state === "closed");
  expect((await type(stage, "sam", "ticket reopen", { number: 1 })).content).toContain("open again");
  const { thread_id: thread } = await ticketIs(stage, (row) => Boolean(row.thread_id && row.greeting_id));
  await comesToSay(stage, String(thread), "This ticket is open again.");
});

test("when threads are deleted before the greeting is posted, three are made and no more", async () => {
  await using stage = await openStage();
  const { ctx } = stage;
  await openTicket(ctx, { topic: "other", member: { id: "1", name: "Ada" }, question: "Help" });
  let made = 0;
  // a server in which something deletes each thread at once
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
  worker.add({ [syncTopic]: ({ subject }) => syncTicket(ctx, channels, subject) });
  await worker.drain();
  await worker.stop();
  expect(made).toBe(3);
  expect(stage.lines.join()).not.toContain("work failed");
});

test("staff who answer with a tag read that it was posted only once it was", async () => {
  await using stage = await openDesk();
  const first = await opened(stage, "ada");
  await stage.atDiscord("limits", { activeThreads: 1 });
  await ask(stage, "dora");
  const answer = await type(stage, "sam", "ticket tag", { number: 2, name: "send-log" });
  expect(answer.content).toStartWith("Not posted yet");
  await close(stage, first.card);
  await eventually(
    () => rowsOf(stage),
    ([, second]) => Boolean(second?.greeting_id),
  );
  const thread = String((await rowsOf(stage))[1]?.thread_id);
  await comesToSay(stage, thread, "please send the file log.txt");
  const again = await type(stage, "sam", "ticket tag", { number: 2, name: "send-log" });
  expect(again.content).toBe("Posted in ticket #2.");
  expect((await saidIn(stage, thread)).split("please send the file log.txt")).toHaveLength(3);
});
