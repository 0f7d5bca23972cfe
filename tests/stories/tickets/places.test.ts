import { expect, test } from "bun:test";
import { day, hour } from "@/contract/vocabulary/time";
import { connect, customer, waitForBot } from "../../support/people/discord";
import { operateWith, settingsOf } from "../../support/operator/run-operator";
import { type Stage, discordSettings, eventually } from "../../support/shop/stage";
import {
  ask,
  close,
  kept,
  messagesIn,
  openDesk,
  openInDiscord,
  panelOf,
  passTime,
  press,
  rowsOf,
  staffNotices,
  textIn,
  threads,
  type,
  waitForText,
  waitForTicket,
} from "../../support/people/tickets";

/** Nobody waits here for Discord's limits, which end by the real clock. */
const discord = { limits: { enabled: false } };

test("staff are notified once that the support channel is gone, and tickets continue in the next one", async () => {
  await using stage = await openDesk({ discord });
  const { thread } = await openInDiscord(stage, "ada", { text: "It is broken" });
  await stage.atDiscord("channels/delete", { channel: "support" });
  await waitForText(stage, "staff", "the support channel does not exist");
  expect(await staffNotices(stage)).toContain("DISCORD\\_SUPPORT\\_CHANNEL\\_ID");
  expect((await doctor(stage)).out).toContain("the support channel does not exist");

  // tickets can still be opened: staff see the card, and the member reads what to do
  const offered = await type(stage, "dora", "support open", { topic: "device" });
  const { interaction } = await press(
    stage,
    "dora",
    offered.messages[0].id,
    offered.messages[0].components[0].components[0].custom_id,
  );
  const answer = await stage.atDiscord("interact/modal", {
    user: "dora",
    interaction,
    fields: { text: "New computer" },
  });
  expect(answer.content).toMatch(/^Your ticket #2 is noted and our team sees it\. .*write to \S+@/);
  expect(JSON.stringify(await messagesIn(stage, "staff", "sam"))).toContain("New computer");

  const { id } = await stage.atDiscord("channels/create", { name: "help" });
  await stage.restart({ discord: { supportChannelId: id } });
  await waitForBot(stage);
  const [panel] = await eventually(
    () => messagesIn(stage, id),
    ([one]) => one !== undefined,
  );
  expect(JSON.stringify(panel)).toContain("ticket-topic:licence");
  await eventually(async () =>
    (await rowsOf(stage)).every((row) => row.greeting_id && row.thread_id && row.thread_id !== thread),
  );
  const [ada, dora] = await rowsOf(stage);
  expect(await textIn(stage, String(ada?.thread_id))).toContain("It is broken");
  expect(await textIn(stage, String(dora?.thread_id))).toContain("New computer");
  expect((await staffNotices(stage)).split("the support channel does not exist")).toHaveLength(2);
});

test("the panel moves with the support channel, and there is only one", async () => {
  await using stage = await openDesk({ discord });
  const { thread } = await openInDiscord(stage, "ada");
  const before = await panelOf(stage);
  const { id } = await stage.atDiscord("channels/create", { name: "help" });
  await stage.restart({ discord: { supportChannelId: id } });
  await eventually(async () => (await messagesIn(stage, id))[0] !== undefined);
  await eventually(async () => !(await messagesIn(stage, "support")).some((one) => one.id === before.id));
  await stage.restart({ discord: { supportChannelId: id } });
  await waitForBot(stage);
  expect(await messagesIn(stage, id)).toHaveLength(1);
  expect((await rowsOf(stage))[0]?.thread_id).toBe(thread);
});

test("a member who can't see the support channel reads where to write instead", async () => {
  await using stage = await openDesk({ discord });
  await stage.atDiscord("channels/overwrite", {
    channel: "support",
    role: "@everyone",
    deny: ["VIEW_CHANNEL"],
  });
  const text = await eventually(
    () => type(stage, "ada", "support open", { topic: "licence" }),
    ({ content }) => content.includes("can't see"),
  );
  expect(text).toMatchObject({ ephemeral: true });
  expect(text.content).toMatch(/write to \S+@/);
  expect(await rowsOf(stage)).toEqual([]);
});

const threadWriting = "SEND_MESSAGES_IN_THREADS";
for (const [channel, role, denied, sentence] of [
  ["staff", "Premium", null, "Every customer can read the staff channel"],
  ["staff", "@everyone", null, "Every member can read the staff channel"],
  ["staff", "Shop", "EMBED_LINKS", "in the staff channel the bot lacks Embed Links"],
  ["support", "@everyone", threadWriting, "in the support channel @everyone lacks Send Messages in Threads"],
  [
    "support",
    "Support",
    threadWriting,
    "in the support channel the support role lacks Send Messages in Threads",
  ],
] as const)
  test(`staff and the operator are notified: ${sentence}`, async () => {
    await using stage = await openDesk({ discord });
    const deny = denied ? [denied] : [];
    const allow = denied ? [] : ["VIEW_CHANNEL"];
    await stage.atDiscord("channels/overwrite", { channel, role, allow, deny });
    await waitForText(stage, "staff", sentence);
    expect((await doctor(stage)).out).toContain(sentence);
  });

const doctor = (stage: Stage) =>
  operateWith({ ...settingsOf(stage), DISCORD: "", ...discordSettings(stage.discord) }, "doctor");

test("a bot without the text of messages says so, and asks for it once it may", async () => {
  await using stage = await openDesk({ discord });
  await stage.atDiscord("bot", { intents: ["members"] });
  await stage.restart({});
  await waitForText(stage, "staff", "turn on Message Content Intent");
  expect((await doctor(stage)).out).toContain("Tickets arrive empty");
  const before = (await stage.atDiscord("tally")).identifies;
  await stage.atDiscord("bot", { intents: ["members", "message_content"] });
  await eventually(async () => {
    stage.advance(10_000);
    return (await stage.atDiscord("tally")).identifies > before;
  });
  await waitForBot(stage);
  const { thread } = await openInDiscord(stage, "ada");
  await stage.atDiscord("messages", { user: "ada", channel: thread, content: "now it is read" });
  await eventually(async () => (await kept(stage)).some(({ content }) => content === "now it is read"));
});

test("an archived thread is unarchived by what happens to its ticket", async () => {
  await using stage = await openDesk({ discord });
  const { id, thread, card } = await openInDiscord(stage, "ada");
  await stage.atDiscord("threads", { user: "olivia", thread, archived: true });
  await press(stage, "sam", card, `ticket-claim:${id}`);
  await eventually(async () =>
    JSON.stringify(await messagesIn(stage, "staff", "sam")).includes("ticket-unclaim"),
  );
  await eventually(
    () => threads(stage),
    ([one]) => !one.thread_metadata.archived && !one.thread_metadata.locked,
  );
  await stage.atDiscord("threads", { user: "olivia", thread, archived: true });
  await type(stage, "sam", "ticket tag", { number: 1, name: "refund" });
  await waitForText(stage, thread, "Refunds Policy");
});

test("in a server full of threads, those of closed tickets are archived to make room", async () => {
  await using stage = await openDesk({ discord });
  const first = await openInDiscord(stage, "ada");
  await close(stage, first.card);
  await eventually(async () => (await threads(stage))[0].thread_metadata.locked);
  await stage.atDiscord("limits", { activeThreads: 1 });
  expect((await ask(stage, "dora")).content).toContain("Your ticket is open");
  const [old, young] = await threads(stage);
  expect([old.thread_metadata.archived, young.thread_metadata.archived]).toEqual([true, false]);
});

test("the longest names and texts that Discord allows fit everywhere", async () => {
  await using stage = await openDesk({ discord });
  await stage.atDiscord("members/rename", {
    user: "ada",
    global_name: "😀".repeat(16),
    nick: "𝕬".repeat(16),
  });
  const { card, thread } = await openInDiscord(stage, "ada", { text: "`".repeat(1_000) });
  expect((await threads(stage))[0].name.length).toBeLessThanOrEqual(100);
  expect((await close(stage, card, "`".repeat(300))).content).toContain("closed");
  await waitForTicket(stage, ({ farewell_id }) => Boolean(farewell_id));
  for (const { content } of await messagesIn(stage, thread, "sam"))
    expect(content.length).toBeLessThanOrEqual(2_000);
});

test("the greeting says when support is back, or during support hours that somebody is there", async () => {
  await using stage = await openDesk({ discord });
  const { person } = await customer(stage, "ada");
  await connect(stage, person, "ada");
  const hourInBerlin = () =>
    Number(
      new Intl.DateTimeFormat("en-GB", { timeZone: "Europe/Berlin", hour: "2-digit" }).format(
        stage.ctx.now(),
      ),
    );
  const until = (at: number) => stage.advance(((at - hourInBerlin() + 24) % 24) * hour);
  until(2);
  const night = await openInDiscord(stage, "ada");
  const text = await textIn(stage, night.thread);
  const [, back = ""] = /away right now and back <t:(\d+):R>/.exec(text) ?? [];
  const at = new Date(Number(back) * 1000);
  expect(new Intl.DateTimeFormat("en-GB", { timeZone: "Europe/Berlin", timeStyle: "short" }).format(at)).toBe(
    "09:00",
  );
  expect(at.getTime() - stage.ctx.now().getTime()).toBeLessThan(day);
  until(12);
  const noon = await openInDiscord(stage, "dora");
  expect(await textIn(stage, noon.thread)).toContain("Someone from our support team will answer you here.");
  await passTime(stage, 0);
});
