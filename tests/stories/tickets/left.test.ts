import { expect, test } from "bun:test";
import { day, hour } from "@/contract/vocabulary/time";
import { connect, customer } from "../../support/people/discord";
import { eventually, type Stage } from "../../support/shop/stage";
import {
  openDesk,
  openInDiscord,
  passTime,
  rowsOf,
  textIn,
  type,
  waitForTicket,
} from "../../support/people/tickets";
import { mailsTo, prove } from "../accounts/people";

const sees = async (stage: Stage, user: string, thread: string) =>
  (await stage.atDiscord(`visible?as=${user}`)).channels.some(({ id }: { id: string }) => id === thread);
const waitUntilSeen = (stage: Stage, user: string, thread: string) =>
  eventually(() => sees(stage, user, thread), Boolean);
const leave = async (stage: Stage, user: string, thread: string) => {
  await stage.atDiscord("threads/leave", { user, thread });
  expect(await sees(stage, user, thread)).toBe(false);
};
const answer = (stage: Stage, thread: string, content: string) =>
  stage.atDiscord("messages", { user: "sam", channel: thread, content });

test("a member who left their ticket's thread is added again by an answer, and by the reminder", async () => {
  await using stage = await openDesk();
  const { thread } = await openInDiscord(stage, "ada");
  await leave(stage, "ada", thread);
  await answer(stage, thread, "Try again");
  await waitUntilSeen(stage, "ada", thread);
  await leave(stage, "ada", thread);
  await answer(stage, thread, "And look at the log");
  await waitUntilSeen(stage, "ada", thread);
  await leave(stage, "ada", thread);
  await passTime(stage, day, async () => (await textIn(stage, thread)).includes("still there"));
  expect(await sees(stage, "ada", thread)).toBe(true);
});

test("a member who can't be added again gets an email that an answer waits, once for each answer", async () => {
  await using stage = await openDesk();
  const { person } = await customer(stage, "ada");
  await prove(stage, "ada");
  await connect(stage, person, "ada");
  const { thread, id } = await openInDiscord(stage, "ada");
  await leave(stage, "ada", thread);
  await stage.atDiscord("channels/overwrite", {
    channel: "support",
    role: "@everyone",
    deny: ["VIEW_CHANNEL"],
  });
  await answer(stage, thread, "Try again");
  await waitForTicket(stage, ({ waiting_for }) => waiting_for === "member");
  const mails = async () => {
    await stage.shop.periodicJobs.run();
    await stage.shop.worker.drain();
    return (await mailsTo(stage, "ada@example.com")).filter(({ subject }) => subject.includes("replied"));
  };
  const [mail] = await eventually(mails, (all) => all.length > 0);
  expect(mail?.text).toContain("where you can't see its thread");
  // the bot looks again at the ticket for other reasons
  stage.advance(2 * hour);
  await type(stage, "sam", "ticket transfer", { number: 1, topic: "device" });
  await waitForTicket(stage, ({ topic }) => topic === "device");
  expect(await mails()).toHaveLength(1);
  await answer(stage, thread, "Did it work?");
  await eventually(mails, (all) => all.length === 2);
  expect((await rowsOf(stage))[0]?.state).toBe("open");
  const { messages } = (await person.get(`/api/tickets/${id}`)).body.data;
  expect(messages.at(-1)).toMatchObject({ content: "Did it work?" });
});
