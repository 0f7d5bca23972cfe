import { expect, test } from "bun:test";
import { hour } from "@/contract/vocabulary/time";
import {
  connect,
  customer,
  holders,
  moveClockUntil,
  waitForBot,
  waitForCommands,
  waitForHolders,
} from "../../support/people/discord";
import { eventually, openStage, type Stage } from "../../support/shop/stage";

/** Discord's limits end by the real clock, and here the stage's runs far ahead of it. */
const discord = { limits: { enabled: false } };

type Fault = { fail: number | "answer"; answer?: object; path?: string; method?: string };

/** Makes matching calls fail until the faults are cleared. */
const failCalls = (stage: Stage, ...faults: Fault[]) =>
  stage.atDiscord("faults", { api: { next: faults.map((fault) => ({ count: 100_000, ...fault })) } });
const refusals = async (stage: Stage): Promise<number> => (await stage.atDiscord("tally")).invalid;

const staffMessages = async (stage: Stage): Promise<string> =>
  (await stage.atDiscord("channels/staff/messages")).messages
    .map((message: { content: string }) => message.content)
    .join("\n");
const idOf = async (stage: Stage, name: string): Promise<string> =>
  (await stage.atDiscord("members")).members.find((one: { username: string }) => one.username === name).id;

/** Moves the clock in steps of five seconds until the condition holds. */
const advanceUntil = (stage: Stage, done: () => boolean | Promise<boolean>) =>
  eventually(
    () => {
      stage.advance(5_000);
      return done();
    },
    (right) => right,
  );
const waitForStaffMessage = (stage: Stage, words: string) =>
  advanceUntil(stage, async () => (await staffMessages(stage)).includes(words));
const waitUntilAllHold = (stage: Stage, names: string[]) =>
  advanceUntil(stage, async () => (await holders(stage)).join(" ") === names.join(" "));

/** Two members with a licence, not connected yet. */
async function twoCustomers(stage: Stage) {
  await waitForBot(stage);
  const people = [await customer(stage, "ada"), await customer(stage, "dora")];
  return people.map(
    ({ person, username }) =>
      () =>
        moveClockUntil(stage, connect(stage, person, username)),
  );
}

test("one member whom Discord doesn't let the bot change doesn't hold up the others", async () => {
  await using stage = await openStage({ discord });
  const [ada, dora] = await twoCustomers(stage);
  const id = await idOf(stage, "ada");
  await failCalls(stage, { fail: 403, path: `/members/${id}/roles` });
  await ada?.();
  await waitForStaffMessage(stage, `member ${id} (50013)`);
  await dora?.();
  await waitUntilAllHold(stage, ["dora"]);
  expect(await refusals(stage)).toBeLessThan(10);
  await stage.atDiscord("faults", { api: { next: [] } });
  await waitUntilAllHold(stage, ["ada", "dora"]);
});

test("an unexplained refusal of every change is retried with growing pauses, and staff read its code once", async () => {
  await using stage = await openStage({ discord });
  const both = await twoCustomers(stage);
  await failCalls(stage, { fail: 403, path: "/roles/" });
  for (const one of both) await one();
  await waitForStaffMessage(stage, "refuses role changes (50013)");
  const before = await refusals(stage);
  const pauses = () => stage.lines.filter((line) => line.includes("no more are made until")).length;
  for (let hours = 0; hours < 4; hours += 1) {
    const seen = pauses();
    stage.advance(hour);
    // a job that was tried just before the circuit let one through first waits out its own delay
    await advanceUntil(stage, () => pauses() > seen);
  }
  const more = (await refusals(stage)) - before;
  console.log(`refused requests in four hours with nothing to explain them: ${more}`);
  expect(more).toBeLessThan(10);
  expect((await staffMessages(stage)).split("refuses role changes")).toHaveLength(2);
  await stage.atDiscord("faults", { api: { next: [] } });
  await waitUntilAllHold(stage, ["ada", "dora"]);
});

test("staff read of a second problem while the first lasts, and of each once", async () => {
  await using stage = await openStage({ discord });
  await stage.restart({ discord: { newsChannelId: "123456789012345678" } });
  await waitForBot(stage);
  await waitForStaffMessage(stage, "can't write to the news channel");
  await stage.atDiscord("bot", { role: "below" });
  await waitForStaffMessage(stage, "is below Premium");
  expect((await staffMessages(stage)).split("can't write to the news channel")).toHaveLength(2);
});

test("staff who recheck a member's role read what is wrong with the bot", async () => {
  await using stage = await openStage({ discord });
  await waitForCommands(stage);
  await stage.atDiscord("bot", { role: "below" });
  await waitForStaffMessage(stage, "is below Premium");
  const answer = await stage.atDiscord("interact/slash", {
    user: "sam",
    command: "sync",
    options: { member: "ada" },
  });
  expect(answer.content).toStartWith("The bot's highest role is below Premium.");
});

test("a bot in timeout says so and continues once it is over", async () => {
  await using stage = await openStage({ discord });
  const both = await twoCustomers(stage);
  await stage.atDiscord("bot", { timed_out_seconds: 3_600 });
  for (const one of both) await one();
  const timedOut = () => stage.lines.some((line) => line.includes('"code":"timed_out"'));
  await advanceUntil(stage, timedOut);
  expect(await refusals(stage)).toBeLessThan(5);
  stage.advance(hour);
  await waitUntilAllHold(stage, ["ada", "dora"]);
});

test("a server that requires two-factor from moderators is named as the cause", async () => {
  await using stage = await openStage({ discord });
  const both = await twoCustomers(stage);
  const answer = { status: 403, body: { code: 60003, message: "Two factor is required for this operation" } };
  await failCalls(stage, { fail: "answer", answer, path: "/roles/" });
  for (const one of both) await one();
  await waitForStaffMessage(stage, "two-factor authentication");
  expect(await refusals(stage)).toBeLessThan(5);
  await stage.atDiscord("faults", { api: { next: [] } });
  await waitForHolders(stage, []);
  await waitUntilAllHold(stage, ["ada", "dora"]);
});

const answers: Record<string, { fault: Fault; line: string }> = {
  "a list of members without users": {
    fault: {
      fail: "answer",
      answer: { status: 200, body: [{ roles: [] }] },
      path: "/members",
      method: "GET",
    },
    line: "UnlikeDiscord GET /guilds/:id/members: no 0.user",
  },
  "a member without roles": {
    fault: { fail: "answer", answer: { status: 200, body: { user: {} } }, path: "/members/", method: "GET" },
    line: "UnlikeDiscord GET /guilds/:id/members/:id: no roles",
  },
  "a 404 without a code": {
    fault: { fail: "answer", answer: { status: 404, body: {} }, path: "/members/", method: "GET" },
    line: "UnlikeDiscord GET /guilds/:id/members/:id: 404 without a code",
  },
};

for (const [name, { fault, line }] of Object.entries(answers)) {
  test(`${name} is logged in one line that names what was missing, and retried`, async () => {
    await using stage = await openStage({ discord });
    await waitForBot(stage);
    const { person } = await customer(stage, "ada");
    await failCalls(stage, fault);
    await moveClockUntil(stage, connect(stage, person, "ada"));
    await advanceUntil(stage, () => stage.lines.some((one) => one.includes(line)));
    expect(stage.lines.filter((one) => one.includes("TypeError"))).toEqual([]);
    await stage.atDiscord("faults", { api: { next: [] } });
    await waitUntilAllHold(stage, ["ada"]);
  });
}
