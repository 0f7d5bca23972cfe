import { expect, test } from "bun:test";
import { hour } from "@/contract/vocabulary/time";
import {
  connect,
  customer,
  holders,
  moveClockUntil,
  waitForBot,
  waitForHolders,
} from "../../support/people/discord";
import { eventually, openStage, type Stage } from "../../support/shop/stage";

/** Discord's limits end by the real clock, and here the stage's runs far ahead of it. */
const discord = { limits: { enabled: false } };

/** Ada and Dora are connected and hold the role. */
async function twoHolders(stage: Stage) {
  const { sessionId: session, key } = await stage.buy();
  const ada = stage.person();
  await ada.register(key, "ada");
  const { person: dora } = await customer(stage, "dora");
  await connect(stage, ada, "ada");
  await connect(stage, dora, "dora");
  await waitForHolders(stage, ["ada", "dora"]);
  return { ada, dora, session };
}

const refund = async (stage: Stage, session: string) => {
  await stage.stripeTells("refund", { session });
};

/** Moves the clock past the delays of waiting jobs. */
async function advanceUntil(stage: Stage, done: () => Promise<boolean>) {
  await eventually(() => {
    stage.advance(5_000);
    return done();
  });
}
const held = (stage: Stage, names: string[]) => () =>
  holders(stage).then((now) => now.join(" ") === names.join(" "));

for (const scope of ["user", "global", "shared"] as const) {
  test(`429s with the scope "${scope}" are waited out, and no change is lost`, async () => {
    await using stage = await openStage({ discord });
    await waitForBot(stage);
    const { session } = await twoHolders(stage);
    await stage.atDiscord("faults", {
      api: { next: [{ fail: 429, count: 2, scope, retryAfter: 0.2, path: "/members/" }] },
    });
    await refund(stage, session);
    await advanceUntil(stage, held(stage, ["dora"]));
  });
}

for (const [name, fault] of Object.entries({
  "a failing Discord": { fail: 503, count: 6 },
  "cut connections": { fail: "drop", count: 6 },
  "an effect whose answer was lost": { fail: "drop", when: "after", count: 4, method: "DELETE" },
  "a refused token": { fail: 401, count: 1 },
})) {
  test(`${name} only delays the role`, async () => {
    await using stage = await openStage({ discord });
    await waitForBot(stage);
    const { session } = await twoHolders(stage);
    await stage.atDiscord("faults", { api: { next: [{ ...fault, path: "/members/" }] } });
    await refund(stage, session);
    await advanceUntil(stage, held(stage, ["dora"]));
  });
}

test("a bot whose role is too low stops trying, tells staff once, and continues when the role is raised", async () => {
  await using stage = await openStage({ discord });
  await waitForBot(stage);
  const { session } = await twoHolders(stage);
  await stage.atDiscord("bot", { role: "below" });
  await refund(stage, session);
  const staffMessages = async (): Promise<string> => {
    const { messages } = await stage.atDiscord("channels/staff/messages");
    return messages.map((message: { content: string }) => message.content).join("\n");
  };
  await advanceUntil(stage, async () => (await staffMessages()).includes("is below"));
  await stage.atDiscord("join", { user: "tim" });
  const examinations = () => stage.lines.filter((line) => line.includes("can't do all")).length;
  for (let looks = 0; looks < 4; looks += 1) {
    const before = examinations();
    stage.advance(hour);
    await eventually(examinations, (count) => count > before);
  }
  const { invalid } = await stage.atDiscord("tally");
  console.log(`refused requests in four hours with the role too low: ${invalid}`);
  expect(invalid).toBeLessThan(5);
  expect((await staffMessages()).split("is below")).toHaveLength(2);
  await stage.atDiscord("bot", { role: "above" });
  await advanceUntil(stage, held(stage, ["dora"]));
});

test("a bot without Manage Roles says so, and one without the members intent works without it", async () => {
  await using stage = await openStage({ discord });
  await stage.atDiscord("bot", { intents: [], deny: ["MANAGE_ROLES"] });
  await stage.restart();
  const { person } = await customer(stage, "ada");
  const answer = await moveClockUntil(stage, connect(stage, person, "ada"));
  expect(answer.body).toMatchObject({ status: 202, status_message: "Pending" });
  await stage.atDiscord("bot", { grant: ["MANAGE_ROLES"] });
  await advanceUntil(stage, held(stage, ["ada"]));
  await advanceUntil(stage, async () => stage.shop.bot?.state() === "up");
});
