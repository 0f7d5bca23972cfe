import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { day } from "@/contract/vocabulary/time";
import { levels } from "@/domain/schema/levels";
import { holders, makeRole, roleIdOf, waitForChanges, waitForHolders } from "../../support/people/discord";
import {
  advanceUntilHeld,
  changeRole,
  connected,
  keyOf,
  openRoleStage,
  recorded,
  redeem,
  revoke,
  roleOf,
  waitForSentence,
  waitForStaffMessage,
} from "../../support/shop/level-roles";
import { addLevels } from "../../support/shop/levels";
import { eventually } from "../../support/shop/stage";

test("a linked member has the role of each level of which the account has an active licence, and no other", async () => {
  await using stage = await openRoleStage();
  await connected(stage, "ada", "premium");
  const { keys } = await connected(stage, "dora", "premium", "team");
  // Team contains Premium, but roles are each level's own
  await connected(stage, "tim", "team");
  await waitForHolders(stage, ["ada", "dora"]);
  await waitForHolders(stage, ["dora", "tim"], "Team");
  await revoke(stage, keys[1]);
  await waitForHolders(stage, ["tim"], "Team");
  expect(await holders(stage)).toEqual(["ada", "dora"]);
  const { message = "" } =
    stage.lines.map((line) => JSON.parse(line)).find(({ reason }) => reason === "no active Team license") ??
    {};
  expect(message).toBe("a member's role was changed");
});

test("a level whose licence expires loses its role alone, and disconnecting loses all", async () => {
  await using stage = await openRoleStage();
  const { person } = await connected(stage, "ada", "premium");
  await redeem(person, await keyOf(stage, "team", 3));
  await waitForHolders(stage, ["ada"], "Team");
  stage.advance(3 * day);
  await advanceUntilHeld(stage, [], "Team");
  expect(await holders(stage)).toEqual(["ada"]);
  await redeem(person, await keyOf(stage, "team"));
  await waitForHolders(stage, ["ada"], "Team");
  expect((await person.post("/api/discord/deauth")).status).toBe(200);
  await waitForHolders(stage, []);
  await waitForHolders(stage, [], "Team");
  await waitForChanges(stage);
  expect(await recorded(stage)).toEqual([]);
});

test("a customer reads which roles they have, which are on their way, and which they would get", async () => {
  await using stage = await openRoleStage();
  const { person } = await connected(stage, "ada", "premium");
  await waitForSentence(person, "You have the Wisp Premium role in our Discord server.");
  await redeem(person, await keyOf(stage, "team"));
  await waitForSentence(person, "You have the Wisp Premium and Team roles in our Discord server.");
  await stage.atDiscord("roles/drag", { role: "Team", to: 4 });
  await waitForStaffMessage(stage, "below Team");
  const { person: dora } = await connected(stage, "dora", "premium", "team");
  await waitForSentence(dora, "The Team role is on its way. You'll get it as soon as Discord answers.");
  const tim = stage.person();
  await tim.register(await keyOf(stage, "team"), "tim");
  expect((await roleOf(tim)).sentence).toBe("Connect your Discord account to get the Team role.");
});

test("a level without a role gives none, and says so", async () => {
  await using stage = await openRoleStage();
  await addLevels(stage, { id: "school", name: "School", place: 3 });
  const { person } = await connected(stage, "ada", "school");
  const seen = {
    held: false,
    reason: "no_role",
    sentence: "Your license comes without a role in our Discord server.",
  };
  expect(await roleOf(person)).toMatchObject(seen);
  expect(await holders(stage)).toEqual([]);
});

test("a role that two levels share is given once, and stays while one of them gives it", async () => {
  await using stage = await openRoleStage();
  const team = await roleIdOf(stage, "Team");
  await addLevels(stage, { id: "studio", name: "Studio", place: 3, roleId: team });
  const { keys } = await connected(stage, "ada", "team", "studio");
  await connected(stage, "dora", "studio");
  await waitForHolders(stage, ["ada", "dora"], "Team");
  await waitForChanges(stage);
  expect((await stage.atDiscord("tally")).routes["PUT /guilds/:id/members/:id/roles/:id"]).toBe(2);
  await revoke(stage, keys[0]);
  await waitForChanges(stage);
  expect(await holders(stage, "Team")).toEqual(["ada", "dora"]);
  // one of the two gives another role from now on
  const studio = await makeRole(stage, "Studio");
  const { keys: tims } = await connected(stage, "tim", "team");
  await changeRole(stage, "studio", studio);
  await waitForHolders(stage, ["ada", "dora"], "Studio");
  await waitForHolders(stage, ["tim"], "Team");
  await revoke(stage, tims[0]);
  await waitForHolders(stage, [], "Team");
});

test("a role is given and taken however many levels with long names share it", async () => {
  await using stage = await openRoleStage();
  const roleId = await roleIdOf(stage, "Team");
  const more = Array.from({ length: 7 }, (_, at) => ({
    id: `level-${at}`,
    name: `${at}é🎫`.padEnd(80, "é"),
  }));
  await addLevels(stage, ...more.map((one, at) => ({ ...one, place: 3 + at, roleId })));
  const { keys } = await connected(stage, "ada", ...more.slice(0, 3).map(({ id }) => id));
  await advanceUntilHeld(stage, ["ada"], "Team");
  for (const key of keys) await revoke(stage, key);
  await advanceUntilHeld(stage, [], "Team");
});

test("a retired level's role stays with who has the level, and comes with a key of it that is redeemed later", async () => {
  await using stage = await openRoleStage();
  const { person } = await connected(stage, "ada", "premium");
  const [key] = [await keyOf(stage, "team"), await connected(stage, "dora", "team")];
  await stage.ctx.store.db.update(levels).set({ retiredAt: stage.ctx.now() }).where(eq(levels.id, "team"));
  await redeem(person, key);
  await waitForHolders(stage, ["ada", "dora"], "Team");
});

test("somebody who leaves and comes back has the roles of all levels again", async () => {
  await using stage = await openRoleStage();
  await connected(stage, "ada", "premium", "team");
  await waitForHolders(stage, ["ada"], "Team");
  await stage.atDiscord("leave", { user: "ada" });
  await eventually(async () => (await recorded(stage)).length === 0);
  await stage.atDiscord("join", { user: "ada" });
  await waitForHolders(stage, ["ada"], "Team");
  await waitForHolders(stage, ["ada"]);
});
