import { expect, test } from "bun:test";
import { connect, customer, waitForBot } from "../../support/people/discord";
import { eventually, type Stage } from "../../support/shop/stage";
import {
  close,
  kept,
  messagesIn,
  openDesk,
  openInDiscord,
  rowsOf,
  textIn,
  threads,
  waitForTicket,
  waitForText,
} from "../../support/people/tickets";

const write = (stage: Stage, channel: string, content: string, user = "ada") =>
  stage.atDiscord("messages", { user, channel, content });
const edit = (stage: Stage, message: string, content: string, user = "ada") =>
  stage.atDiscord("messages/edit", { user, message, content });
const unsay = (stage: Stage, message: string, user = "ada") =>
  stage.atDiscord("messages/delete", { user, message });

/** Waits until this many of people's messages are kept. */
const keptWords = (stage: Stage, count: number) =>
  eventually(
    async () => (await kept(stage)).filter(({ author }) => author !== "shop"),
    (rows) => rows.length === count,
  );

/** People's messages as kept: the text, the earlier text, and whether they were deleted. */
const transcript = async (stage: Stage) =>
  (await kept(stage))
    .filter(({ author }) => author !== "shop")
    .map(({ content, before, deleted_at, author }) => ({
      author,
      content,
      before: JSON.parse(String(before)),
      deleted: deleted_at !== null,
    }));

test("the transcript has what was written, edited and deleted while the bot was down", async () => {
  await using stage = await openDesk();
  const { person } = await customer(stage, "ada");
  await connect(stage, person, "ada");
  const { thread, id } = await openInDiscord(stage, "ada");
  const [first, second] = [await write(stage, thread, "It says no"), await write(stage, thread, "Ignore me")];
  await write(stage, thread, "Look again", "sam");
  await keptWords(stage, 3);
  await stage.restart({
    async meanwhile() {
      await edit(stage, first.id, "It says never");
      await unsay(stage, second.id);
      await write(stage, thread, "Hello?");
    },
  });
  await waitForBot(stage);
  await eventually(
    () => transcript(stage),
    (rows) => rows.length === 4 && rows.some(({ deleted }) => deleted) && rows[0]?.before.length === 1,
  );
  expect(await transcript(stage)).toEqual([
    { author: "member", content: "It says never", before: ["It says no"], deleted: false },
    { author: "member", content: "Ignore me", before: [], deleted: true },
    { author: "staff", content: "Look again", before: [], deleted: false },
    { author: "member", content: "Hello?", before: [], deleted: false },
  ]);
  expect((await rowsOf(stage))[0]?.waiting_for).toBe("staff");
  const { messages } = (await person.get(`/api/tickets/${id}`)).body.data;
  expect(messages.at(-3)).toMatchObject({ content: "Ignore me", deleted: true });
});

test("nothing is missed when the gateway is cut and can't resume, not even in closed tickets' threads", async () => {
  await using stage = await openDesk();
  const { thread, card } = await openInDiscord(stage, "ada");
  const mine = await write(stage, thread, "A secret that I regret");
  const answer = await write(stage, thread, "Solved", "sam");
  await keptWords(stage, 2);
  await close(stage, card);
  await waitForTicket(stage, ({ farewell_id }) => Boolean(farewell_id));
  await stage.atDiscord("faults", { gateway: { away: true } });
  await unsay(stage, mine.id);
  await edit(stage, answer.id, "Solved by an update", "sam");
  await stage.atDiscord("gateway", { do: "cut", end: true });
  await stage.atDiscord("faults", { gateway: { away: false } });
  await eventually(
    () => transcript(stage),
    ([one, other]) => one?.deleted === true && other?.before.length === 1,
  );
  expect((await transcript(stage))[1]).toMatchObject({ content: "Solved by an update", before: ["Solved"] });
});

for (const order of ["newest", "oldest"]) {
  test(`a long thread is reread a page at a time, ${order} first, and messages of a lost thread don't count as deleted`, async () => {
    await using stage = await openDesk();
    await stage.atDiscord("limits", { enabled: false });
    await stage.atDiscord("faults", { api: { oldestFirst: order === "oldest" } });
    const { thread } = await openInDiscord(stage, "ada");
    await write(stage, thread, "before the thread was lost");
    await keptWords(stage, 1);
    await stage.atDiscord("channels/delete", { channel: thread });
    const row = await waitForTicket(stage, ({ thread_id, greeting_id }) =>
      Boolean(thread_id && thread_id !== thread && greeting_id),
    );
    const second = String(row.thread_id);
    const written: { id: string }[] = [];
    for (let at = 0; at < 230; at += 1) written.push(await write(stage, second, `message ${at}`));
    await keptWords(stage, 231);
    await stage.restart({
      async meanwhile() {
        for (const at of [0, 99, 100, 150, 229]) await unsay(stage, written[at]?.id ?? "");
        await edit(stage, written[120]?.id ?? "", "changed");
        for (let at = 0; at < 110; at += 1) await write(stage, second, `late ${at}`);
      },
    });
    await keptWords(stage, 341);
    const rows = await eventually(
      () => transcript(stage),
      (all) => all.filter(({ deleted }) => deleted).length === 5,
    );
    const gone = rows.filter(({ deleted }) => deleted).map(({ content }) => content);
    expect(gone).toEqual(["message 0", "message 99", "message 100", "message 150", "message 229"]);
    expect(rows[0]).toMatchObject({ content: "before the thread was lost", deleted: false });
    expect(rows[121]).toMatchObject({ content: "changed", before: ["message 120"] });
  });
}

test("messages don't count as deleted where the bot may not read the history", async () => {
  await using stage = await openDesk();
  const { thread } = await openInDiscord(stage, "ada");
  await write(stage, thread, "It says no");
  await keptWords(stage, 1);
  const hidden = { channel: "support", role: "Shop", deny: ["READ_MESSAGE_HISTORY"] };
  await stage.restart({ meanwhile: () => stage.atDiscord("channels/overwrite", hidden) });
  await waitForBot(stage);
  await waitForText(stage, "staff", "Read Message History");
  await eventually(async () => (await stage.count("outbox WHERE topic = 'ticket.look'")) === 0);
  expect(await transcript(stage)).toMatchObject([{ content: "It says no", deleted: false }]);
});

test("a thread and a card deleted while the bot was down are recreated, and the ticket of a member who left is closed", async () => {
  await using stage = await openDesk();
  const first = await openInDiscord(stage, "ada");
  await openInDiscord(stage, "dora");
  await stage.restart({
    async meanwhile() {
      await stage.atDiscord("channels/delete", { channel: first.thread });
      await stage.atDiscord("messages/delete", { user: "olivia", message: first.card });
      await stage.atDiscord("leave", { user: "dora" });
    },
  });
  await eventually(
    () => rowsOf(stage),
    ([ada, dora]) =>
      dora?.state === "closed" &&
      Boolean(ada?.greeting_id) &&
      ada?.thread_id !== first.thread &&
      ada?.card_id !== first.card,
  );
  const [ada] = await rowsOf(stage);
  expect(await textIn(stage, String(ada?.thread_id))).toContain("Nothing is lost");
  expect((await messagesIn(stage, "staff", "sam")).some(({ id }) => id === ada?.card_id)).toBe(true);
  expect((await threads(stage)).filter(({ name }) => name.startsWith("#1 "))).toHaveLength(1);
});
