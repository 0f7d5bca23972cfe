import { operator } from "@/core/base/actor";
import { expect, test } from "bun:test";
import { day, minute } from "@/contract/vocabulary/time";
import { moveLink } from "@/domain/discord/change-link";
import {
  connect,
  customer,
  waitForBot,
  waitForChanges,
  waitForHolders,
  waitForReconciliations,
} from "../../support/people/discord";
import { eventually, openStage, type Stage } from "../../support/shop/stage";

const by = { actor: operator, reason: "a story" };

/** A customer connected to the given Discord user, who holds the role. */
async function bought(stage: Stage, username: string, user: string) {
  const { sessionId: session, key } = await stage.buy();
  const person = stage.person();
  expect((await person.register(key, username)).status).toBe(200);
  expect((await connect(stage, person, user)).status).toBe(200);
  return { person, key, session };
}

const reasonOf = async (person: ReturnType<Stage["person"]>) =>
  (await person.get("/api/discord/me")).body.data.role.reason;

test("an expired licence loses the role within a minute, and another key brings it back", async () => {
  await using stage = await openStage({ discord: true });
  const { person } = await customer(stage, "tim", 3);
  await connect(stage, person, "tim");
  await waitForHolders(stage, ["tim"]);
  await waitForReconciliations(stage);
  stage.advance(3 * day - minute);
  await waitForReconciliations(stage, 2);
  await waitForChanges(stage);
  await waitForHolders(stage, ["tim"]);
  stage.advance(61_000);
  await eventually(() => {
    stage.advance(1_000);
    return waitForHolders(stage, []).then(() => true);
  });
  const again = await person.post("/api/licenses/redeem", { key: await stage.handOut(1), timezone: "UTC" });
  expect(again.status).toBe(200);
  await waitForHolders(stage, ["tim"]);
});

test("disconnecting takes the role away and revokes the tokens at Discord, even without a licence", async () => {
  await using stage = await openStage({ discord: true });
  const { person, session } = await bought(stage, "ada", "ada");
  await waitForHolders(stage, ["ada"]);
  await stage.stripeTells("refund", { session });
  for (const path of ["/api/discord/deauth/", "/api/discord/deauth"]) {
    expect((await person.post(path)).body).toEqual({ status: 200, data: null });
  }
  await waitForHolders(stage, []);
  expect(await reasonOf(person)).toBe("not_linked");
  await eventually(async () => {
    return (await stage.count("outbox WHERE topic = 'discord.revoke'")) === 0;
  });
  const tally = await stage.atDiscord("tally");
  expect(tally.invalid).toBe(0);
  expect(tally.routes["POST /oauth2/token/revoke"]).toBe(2);
});

test("somebody who leaves the server is told to join, is not added again, and gets the role on coming back", async () => {
  await using stage = await openStage({ discord: true });
  await waitForBot(stage);
  const { person } = await bought(stage, "ada", "ada");
  await stage.atDiscord("leave", { user: "ada" });
  await eventually(async () => (await reasonOf(person)) === "not_member");
  expect((await person.get("/api/discord/me")).body.data.role.join_url).toStartWith("https://");
  await waitForHolders(stage, []);
  await stage.atDiscord("join", { user: "ada" });
  await waitForHolders(stage, ["ada"]);
});

test("tokens that staff replace with a link of their own are revoked at Discord", async () => {
  await using stage = await openStage({ discord: true });
  await waitForBot(stage);
  const { person } = await bought(stage, "ada", "ada");
  await waitForHolders(stage, ["ada"]);
  const { id: accountId } = (await person.get("/api/user/me")).body.data;
  const { members } = await stage.atDiscord("members");
  const { id } = members.find((one: { username: string }) => one.username === "ada");
  await moveLink(stage.ctx, { accountId, discordUserId: id, displayName: "Ada", ...by });
  await eventually(async () => (await stage.atDiscord("tally")).routes["POST /oauth2/token/revoke"] === 2);
  await waitForHolders(stage, ["ada"]);
});
