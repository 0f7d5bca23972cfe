import { expect, test } from "bun:test";
import { holders, waitForBot, waitForChanges, waitForReconciliations } from "../../support/people/discord";
import { duesOf } from "../../crash/expected-state";
import { checkRandomStories } from "../../crash/random-stories";
import { beginStory, type Step } from "../../crash/story";
import { openStage } from "../../support/shop/stage";

const seed = Number(process.env.MODEL_SEED ?? 6);
const runs = Number(process.env.MODEL_RUNS ?? 8);

/** Plays a story, has the bot reconcile all members, and compares who has the role with who should. */
async function holds(steps: Step[]): Promise<void> {
  await using stage = await openStage({ webhooks: false, discord: true });
  const story = await beginStory(stage);
  for (const next of steps) await story.live(next);
  await story.settleDown();
  const looks = stage.lines.filter((line) => line.includes("was compared")).length;
  await stage.restart();
  await waitForBot(stage);
  await waitForReconciliations(stage, looks + 1);
  await waitForChanges(stage);

  const due = await duesOf(stage.stripe.url);
  const deserving = story.accounts
    .filter((one) => one.linked && story.inServer.has(one.username) && story.isEntitled(one, due))
    .map(({ username }) => username);
  expect(await holders(stage)).toEqual(deserving.toSorted());
}

test("after any sequence of events, exactly the entitled, connected members hold the role", async () => {
  await checkRandomStories({ seed, runs, members: true }, holds);
});
