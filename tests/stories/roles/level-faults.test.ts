import { expect, test } from "bun:test";
import type { Refusal } from "@/core/base/refusal";
import { askGuild } from "@bot/server/ask-guild";
import { discord as examined } from "@/operator/doctor/discord";
import { holders, makeRole, roleIdOf, waitForHolders } from "../../support/people/discord";
import {
  advanceUntilHeld,
  asked,
  changeRole,
  connected,
  give,
  keyOf,
  openRoleStage,
  redeem,
  revoke,
  staffMessages,
  waitForStaffMessage,
} from "../../support/shop/level-roles";
import { addLevels } from "../../support/shop/levels";

test("a role deleted at Discord holds up no other, staff are told, and a new one is given to everybody", async () => {
  await using stage = await openRoleStage();
  await connected(stage, "ada", "team");
  await waitForHolders(stage, ["ada"], "Team");
  await stage.atDiscord("roles/delete", { role: "Team" });
  await waitForStaffMessage(stage, "The role of Team does not exist in the server.");
  await connected(stage, "dora", "premium", "team");
  await advanceUntilHeld(stage, ["dora"]);
  await changeRole(stage, "team", await makeRole(stage, "Gold"));
  await advanceUntilHeld(stage, ["ada", "dora"], "Gold");
  expect((await staffMessages(stage)).split("does not exist")).toHaveLength(2);
});

test("a role above the bot's own holds up no other, and is given once it is dragged below", async () => {
  await using stage = await openRoleStage();
  const { keys } = await connected(stage, "tim", "premium", "team");
  await waitForHolders(stage, ["tim"], "Team");
  await stage.atDiscord("roles/drag", { role: "Team", to: 4 });
  await waitForStaffMessage(stage, "The bot's highest role is below Team.");
  await connected(stage, "ada", "premium", "team");
  await revoke(stage, keys[0]);
  await revoke(stage, keys[1]);
  await advanceUntilHeld(stage, ["ada"]);
  expect(await holders(stage, "Team")).toEqual(["tim"]);
  await stage.atDiscord("roles/drag", { role: "Team", to: 1 });
  await advanceUntilHeld(stage, ["ada"], "Team");
});

test("what Discord refuses of one role without saying why holds up no other", async () => {
  await using stage = await openRoleStage();
  const id = await roleIdOf(stage, "Team");
  await stage.atDiscord("faults", { api: { next: [{ count: 100_000, fail: 403, path: `/roles/${id}` }] } });
  await connected(stage, "ada", "premium", "team");
  await connected(stage, "dora", "premium", "team");
  await waitForStaffMessage(stage, "refuses role changes (50013)");
  await connected(stage, "tim", "premium");
  await advanceUntilHeld(stage, ["ada", "dora", "tim"]);
  expect((await stage.atDiscord("tally")).invalid).toBeLessThan(10);
  await stage.atDiscord("faults", { api: { next: [] } });
  await advanceUntilHeld(stage, ["ada", "dora"], "Team");
});

test("a role that gets staff's rights is given to nobody until it loses them, is still taken, and staff are told", async () => {
  await using stage = await openRoleStage();
  const { keys } = await connected(stage, "ada", "premium", "team");
  await waitForHolders(stage, ["ada"], "Team");
  await stage.atDiscord("roles/permissions", { role: "Team", permissions: ["MANAGE_MESSAGES"] });
  await waitForStaffMessage(stage, "The role Team gives every customer Manage Messages.");
  await connected(stage, "dora", "premium", "team");
  await advanceUntilHeld(stage, ["ada", "dora"]);
  await revoke(stage, keys[1]);
  await advanceUntilHeld(stage, [], "Team");
  await stage.atDiscord("roles/permissions", { role: "Team", permissions: ["VIEW_CHANNEL"] });
  await advanceUntilHeld(stage, ["dora"], "Team");
});

test("a shop that starts gives no role until it has seen the roles' rights, and takes roles meanwhile", async () => {
  await using stage = await openRoleStage();
  const studio = { id: "studio", name: "Studio", place: 3, includesBefore: false };
  await addLevels(stage, { ...studio, roleId: await makeRole(stage, "Studio") });
  const { person, keys } = await connected(stage, "ada", "studio");
  await waitForHolders(stage, ["ada"], "Studio");
  await stage.atDiscord("faults", { api: { away: true }, gateway: { away: true } });
  // one reconciliation gives Team, and then takes Studio
  await redeem(person, await keyOf(stage, "team"));
  await revoke(stage, keys[0]);
  const path = `/guilds/${stage.discord.guildId}/roles`;
  const unseen = { count: 100_000, fail: 503, method: "GET", path };
  await stage.restart({
    async meanwhile() {
      await stage.atDiscord("roles/permissions", { role: "Team", permissions: ["ADMINISTRATOR"] });
      await stage.atDiscord("faults", { api: { away: false, next: [unseen] }, gateway: { away: false } });
    },
  });
  await advanceUntilHeld(stage, [], "Studio");
  expect(await holders(stage, "Team")).toEqual([]);
  await stage.atDiscord("faults", { api: { next: [] } });
  await waitForStaffMessage(stage, "The role Team gives every customer Administrator.");
  expect(await holders(stage, "Team")).toEqual([]);
  await stage.atDiscord("roles/permissions", { role: "Team", permissions: [] });
  await advanceUntilHeld(stage, ["ada"], "Team");
});

test("a role that becomes support's is neither given nor taken", async () => {
  await using stage = await openRoleStage();
  const id = await roleIdOf(stage, "Team");
  await give(stage, "sam", "Support", false);
  await stage.restart({
    discord: { supportRoleId: id },
    meanwhile: () => give(stage, "sam", "Team"),
  });
  await waitForStaffMessage(stage, "The role Team is staff's");
  await connected(stage, "ada", "premium", "team");
  await advanceUntilHeld(stage, ["ada"]);
  expect(await holders(stage, "Team")).toEqual(["sam"]);
});

test("a role that the shop gave is taken although its level lost it while the member wasn't linked any more", async () => {
  await using stage = await openRoleStage();
  const { person } = await connected(stage, "ada", "team");
  await waitForHolders(stage, ["ada"], "Team");
  await stage.atDiscord("faults", { api: { away: true }, gateway: { away: true } });
  await person.post("/api/discord/deauth");
  await changeRole(stage, "team", null);
  await stage.atDiscord("faults", { api: { away: false }, gateway: { away: false } });
  await advanceUntilHeld(stage, [], "Team");
});

test("a role that Discord gave without an answer reaching the shop is taken once no level gives it", async () => {
  await using stage = await openRoleStage();
  const id = await roleIdOf(stage, "Team");
  const lost = { count: 100, fail: "drop", when: "after", method: "PUT", path: `/roles/${id}` };
  await stage.atDiscord("faults", { api: { next: [lost] } });
  await connected(stage, "ada", "premium", "team");
  await advanceUntilHeld(stage, ["ada"]);
  await advanceUntilHeld(stage, ["ada"], "Team");
  await changeRole(stage, "team", null);
  await stage.atDiscord("faults", { api: { next: [] } });
  await advanceUntilHeld(stage, [], "Team");
  expect(await holders(stage)).toEqual(["ada"]);
});

test("no level gets @everyone, an integration's role, one above the bot's own, staff's, or one with staff's rights", async () => {
  await using stage = await openRoleStage();
  const { guildId } = stage.discord;
  const judge = (roleId: string) => askGuild(asked(stage), roleId, "team").catch(({ code }: Refusal) => code);
  const refusalOf = async (name: string, permissions: string[] = []) => {
    const id = await makeRole(stage, name);
    await stage.atDiscord("roles/permissions", { role: name, permissions });
    return judge(id);
  };
  expect(await judge("1")).toBe("role_missing");
  expect(await judge(guildId)).toBe("role_everyone");
  expect(await judge(await roleIdOf(stage, "Shop"))).toBe("role_managed");
  const { id: high } = await stage.atDiscord("roles/create", { name: "High" });
  expect(await judge(high)).toBe("role_too_high");
  await stage.atDiscord("roles/drag", { role: "Support", to: 1 });
  expect(await judge(await roleIdOf(stage, "Support"))).toBe("role_of_staff");
  for (const right of [
    "ADMINISTRATOR",
    "MANAGE_GUILD",
    "MANAGE_CHANNELS",
    "MANAGE_ROLES",
    "MANAGE_MESSAGES",
    "MANAGE_THREADS",
    "MANAGE_NICKNAMES",
    "MANAGE_WEBHOOKS",
    "MANAGE_GUILD_EXPRESSIONS",
    "MANAGE_EVENTS",
    "KICK_MEMBERS",
    "BAN_MEMBERS",
    "MODERATE_MEMBERS",
    "MENTION_EVERYONE",
  ])
    expect([right, await refusalOf(right, [right])]).toEqual([right, "role_powerful"]);
  expect(await refusalOf("Plain", ["VIEW_CHANNEL"])).toEqual({ name: "Plain", members: 0, losing: 0 });
});

test("before a role is chosen it is told how many members have it, and how many of them would lose it", async () => {
  await using stage = await openRoleStage();
  await connected(stage, "ada", "team");
  await connected(stage, "dora", "premium");
  await waitForHolders(stage, ["dora"]);
  const gold = await makeRole(stage, "Gold");
  await stage.atDiscord("join", { user: "tim" });
  for (const name of ["ada", "dora", "tim"]) await give(stage, name, "Gold");
  const judge = (roleId: string) => askGuild(asked(stage), roleId, "team");
  expect(await judge(gold)).toEqual({ name: "Gold", members: 3, losing: 2 });
  // who has it by another level keeps it
  expect(await judge(await roleIdOf(stage, "Premium"))).toEqual({ name: "Premium", members: 1, losing: 0 });
  await stage.atDiscord("bot", { intents: [] });
  expect(await judge(gold)).toEqual({ name: "Gold", members: null, losing: null });
  await stage.atDiscord("faults", { api: { away: true } });
  expect(await judge(gold).catch(({ code }: Refusal) => code)).toBe("discord_away");
});

test("the doctor names the faulty role, and tries each of the others", async () => {
  await using stage = await openRoleStage();
  const gold = await makeRole(stage, "Gold");
  await addLevels(stage, { id: "studio", name: "Studio", place: 3, roleId: gold });
  await stage.atDiscord("roles/drag", { role: "Team", to: 6 });
  const findings = await examined(asked(stage), true);
  const about = findings.filter(({ sentence }) => /role/.test(sentence));
  expect(about.map(({ state, sentence }) => [state, sentence.split(".")[0]])).toEqual([
    ["wrong", "The bot's highest role is below Team"],
    ["well", "The bot gave itself the role Premium and took it back"],
    ["well", "The bot gave itself the role Gold and took it back"],
  ]);
});
