import { expect, test } from "bun:test";
import { operator } from "@/core/base/actor";
import { addStaff, removeStaff, wakeStaff } from "@/domain/staff/staff-actions";
import { hour, minute } from "@/contract/vocabulary/time";
import { atDesk } from "../../support/people/desk";
import { confirmAsked, connectAs, inBoth } from "../../support/people/staff";
import { connect, customer, roleIdOf, waitForCommands, waitForHolders } from "../../support/people/discord";
import { keyOf, redeem } from "../../support/shop/level-roles";
import { addLevels } from "../../support/shop/levels";
import { eventually, openStage, type Stage } from "../../support/shop/stage";
import { login, prove, recover } from "../accounts/people";

type Given = { subcommand?: string; options?: Record<string, unknown> };
const use = (stage: Stage, user: string, command: string, given: Given = {}) =>
  stage.atDiscord("interact/slash", { user, command, ...given });

async function openBotStage() {
  const stage = await openStage({ discord: true });
  await waitForCommands(stage);
  return stage;
}

const spoken = async (stage: Stage, channel: string): Promise<{ content: string; mentions: unknown[] }[]> =>
  (await stage.atDiscord(`channels/${channel}/messages`)).messages;

test("a member reads their licence and role; a member without an account reads where to create one", async () => {
  await using stage = await openBotStage();
  const stranger = await use(stage, "mallory", "premium");
  expect(stranger).toMatchObject({ ephemeral: true });
  expect(stranger.content).toContain("isn't connected");
  const { person } = await customer(stage, "ada");
  await connect(stage, person, "ada");
  const own = await use(stage, "ada", "premium");
  expect(own.ephemeral).toBe(true);
  expect(JSON.stringify(own.messages)).toContain("You have the");
  expect((await use(stage, "ada", "link")).content).toContain("connected to the account **ada**");
  expect(await spoken(stage, "general")).toEqual([]);
});

test("cards keep Discord's limits however long the names of ten licences' levels are", async () => {
  await using stage = await openBotStage();
  const roleId = await roleIdOf(stage, "Premium");
  const ids = Array.from({ length: 9 }, (_, at) => `level-${at}`);
  await addLevels(stage, ...ids.map((id) => ({ id, name: `${id} **`.padEnd(80, "x"), roleId })));
  const { person } = await customer(stage, "ada");
  await connect(stage, person, "ada");
  for (const level of ids) await redeem(person, await keyOf(stage, level));
  const cards = [
    await use(stage, "ada", "premium"),
    await use(stage, "sam", "customer", { options: { member: "ada" } }),
  ];
  for (const { messages } of cards) {
    const [licences, role] = ["Licenses", "Role"].map(
      (field) => messages[0].embeds[0].fields.find(({ name }: { name: string }) => name === field).value,
    );
    expect(licences.split("\n")).toHaveLength(10);
    expect(role).toContain("\\*\\*xx");
  }
});

test("a key is redeemed in a form and never appears in the channel", async () => {
  await using stage = await openBotStage();
  const { person } = await customer(stage, "tim", 5);
  await connect(stage, person, "tim");
  const redeem = async (key: string) => {
    const { interaction, modal } = await use(stage, "tim", "redeem");
    expect(modal).not.toBeNull();
    return stage.atDiscord("interact/modal", { user: "tim", interaction, fields: { key } });
  };
  const key = await stage.handOut(5);
  const done = await redeem(`License key: \`${key.toLowerCase().replaceAll("-", "\u2212")}\``);
  expect(done).toMatchObject({ ephemeral: true });
  expect(done.content).toStartWith("Redeemed.");
  expect((await redeem(key)).content).toBe("That license key is already on your account.");
  expect((await redeem("nonsense")).content).toContain("typos");
  expect(await spoken(stage, "general")).toEqual([]);
  expect(stage.lines.join("\n")).not.toContain(key);
});

test("guessing keys in Discord counts against the same limit as on the site", async () => {
  await using stage = await openBotStage();
  const { person } = await customer(stage, "tim", 5);
  await connect(stage, person, "tim");
  for (let tries = 0; tries < 10; tries += 1) {
    await person.post("/api/licenses/redeem", { key: "WISP-0000-0000-0000-0000", timezone: "UTC" });
  }
  const { interaction } = await use(stage, "tim", "redeem");
  const form = { user: "tim", interaction, fields: { key: "WISP-0000-0000-0000-0000" } };
  expect((await stage.atDiscord("interact/modal", form)).content).toContain("Too many requests");
});

test("staff find a customer by member, name, email, full key or masked key", async () => {
  await using stage = await openBotStage();
  const { key } = await stage.buy();
  const person = stage.person();
  await person.register(key, "ada");
  await prove(stage, "ada");
  await connect(stage, person, "ada");
  const masked = key.replace(/-(\w{4})(?=-)/g, "-••••");
  for (const options of [
    { member: "ada" },
    { account: "ADA" },
    { account: "ada@example.com" },
    { account: key },
    { account: masked },
  ]) {
    const card = await use(stage, "sam", "customer", { options });
    expect(card.ephemeral).toBe(true);
    const text = JSON.stringify(card.messages);
    expect(text).toContain("ada@example.com");
    expect(text).toContain("USD 5.00, succeeded");
    expect(text).toContain('{"name":"Role","value":"Has it"');
    expect(text).not.toContain(key);
  }
  expect((await use(stage, "sam", "customer", { options: { account: "who" } })).content).toContain("Nobody");
});

test("staff commands are for the support role, checked at each use", async () => {
  await using stage = await openBotStage();
  const { key } = await stage.buy();
  const change = (user: string, subcommand: string) =>
    use(stage, user, "licence", { subcommand, options: { key, reason: "because" } });
  expect(await change("mallory", "suspend").catch(() => "not shown to her")).toBe("not shown to her");
  // an administrator's permissions show the command, but only the role may use it
  expect((await change("olivia", "suspend")).content).toBe("Only the support team can do this.");
  await stage.atDiscord("roles", { user: "olivia", role: "Support", give: true });
  expect((await change("olivia", "suspend")).content).toContain("is suspended");
  await stage.atDiscord("roles", { user: "olivia", role: "Support", give: false });
  expect((await change("olivia", "reinstate")).content).toBe("Only the support team can do this.");
});

const issue = async (stage: Stage, user: string): Promise<string> =>
  (await use(stage, user, "licence", { subcommand: "issue", options: { reason: "a prize" } })).content;

test("an operation that needs an authenticator is requested in Discord and confirmed at the desk, by staff who connected with one", async () => {
  await using stage = await openBotStage();
  const ownersOnly = "Only the shop's owners can do this.";
  const anew = /Reconnect your Discord user/;
  await stage.atDiscord("roles", { user: "olivia", role: "Support", give: true });
  expect(await issue(stage, "olivia")).toBe(ownersOnly);
  // connected before the role was given: a thief of the session could have done that
  const owner = await atDesk(stage, "olivia", "support");
  await connectAs(stage, owner, "olivia");
  await addStaff(
    stage.ctx,
    { named: "olivia", role: "owner", mail: "on" },
    { actor: operator, reason: "a story" },
  );
  expect(await issue(stage, "olivia")).toMatch(anew);
  await connectAs(stage, owner, "olivia");
  stage.advance(11 * minute);
  const answer = await issue(stage, "olivia");
  expect(answer).not.toContain("WISP-");

  const token = answer.split("#")[1];
  const other = await atDesk(stage, "otto", "owner");
  expect((await other.post("requests", { token })).body.code).toBe("request_over");
  expect((await owner.post("requests", { token })).body.data).toEqual({
    operation: "licence.issue",
    facts: [
      { name: "License", value: "for life" },
      { name: "Reason", value: "a prize" },
    ],
  });
  expect((await owner.post("requests/confirm", { token })).body.code).toBe("confirm");
  await owner.confirm();
  const done = await Promise.all([1, 2, 3].map(() => owner.post("requests/confirm", { token })));
  const outcomes = done.map(({ body }): string => body.code ?? body.data.done);
  expect(outcomes.filter((one) => one !== "request_over")).toEqual(["A new license is issued"]);

  const late = await issue(stage, "olivia");
  stage.advance(10 * minute);
  expect((await confirmAsked(owner, late)).body.code).toBe("request_over");
  await removeStaff(stage.ctx, "olivia", { actor: operator, reason: "a story" });
  expect(await issue(stage, "olivia")).toBe(ownersOnly);
});

test("a member connected to an account whose role sleeps has no rights in Discord, whatever their role there, until it is woken", async () => {
  await using stage = await openBotStage();
  const { key } = await stage.buy();
  const change = async (subcommand: string): Promise<string> =>
    (await use(stage, "olivia", "licence", { subcommand, options: { key, reason: "a story" } })).content;
  const wake = () => wakeStaff(stage.ctx, "olivia", { actor: operator, reason: "a story" });
  const olivia = await atDesk(stage, "olivia", "support");
  // confirms the address, so that the connection outlives the next recovery
  await recover(stage, "olivia@example.com");
  await wake();
  await login(olivia.person, "olivia");

  expect((await connect(stage, olivia.person, "olivia")).status).toBeLessThan(300);
  expect(await change("suspend")).toContain("is suspended");
  stage.advance(73 * hour);
  await recover(stage, "olivia@example.com");
  await stage.atDiscord("roles", { user: "olivia", role: "Support", give: true });
  expect(await change("reinstate")).toContain("Your role has been asleep");
  await wake();
  expect(await change("reinstate")).toContain("is active again");
});

test("staff suspend, reinstate and revoke a licence, and the role follows suit", async () => {
  await using stage = await openBotStage();
  const { key } = await stage.buy();
  const person = stage.person();
  await person.register(key, "ada");
  await connect(stage, person, "ada");
  const change = async (subcommand: string): Promise<string> => {
    const options = { key, reason: "a story" };
    return (await use(stage, "sue", "licence", { subcommand, options })).content;
  };
  await waitForHolders(stage, ["ada"]);
  expect(await change("suspend")).toContain("is suspended");
  await waitForHolders(stage, []);
  expect(await change("suspend")).toBe("That license is already in that state.");
  expect(await change("reinstate")).toContain("is active again");
  await waitForHolders(stage, ["ada"]);
  expect(await change("revoke")).toContain("is revoked");
  await waitForHolders(stage, []);
});

test("staff reset a device, connect an account to another member, and have roles reconciled", async () => {
  await using stage = await openBotStage();
  const { person } = await customer(stage, "ada");
  await connect(stage, person, "ada");
  const reason = "a story";
  const reset = { subcommand: "reset", options: { account: "ada", reason } };
  expect((await use(stage, "sam", "device", reset)).content).toBe("No device is bound to that account.");
  const owner = await inBoth(stage, { name: "olivia", role: "owner" });
  const move = { options: { account: "ada", member: "dora", reason } };
  expect((await use(stage, "sam", "relink", move)).content).toBe("Only the shop's owners can do this.");
  const asked = await use(stage, "olivia", "relink", move);
  expect((await confirmAsked(owner, asked.content)).body.data.done).toContain("is connected");
  await waitForHolders(stage, ["dora", "olivia"]);
  expect((await use(stage, "sam", "sync", { options: { member: "dora" } })).content).toContain("You have");
  expect((await use(stage, "sam", "sync")).content).toContain("No problems found");
});

test("after ten sales, ten refunds and eight disputes staff read every deadline and every refund", async () => {
  await using stage = await openBotStage();
  const orders = [];
  for (let count = 0; count < 28; count += 1) orders.push(await stage.buy(`buyer${count}@example.com`));
  const [disputed, refunded] = [orders.slice(0, 8), orders.slice(8, 18)];
  for (const { sessionId: session } of disputed) {
    await stage.atStripe("dispute", { session, status: "needs_response" });
  }
  for (const { sessionId: session } of refunded) await stage.stripeTells("refund", { session });
  const times = (pattern: RegExp, text: string) => text.match(pattern)?.length ?? 0;
  const logged = await eventually(
    async () => {
      stage.advance(2_000);
      return (await spoken(stage, "staff")).map(({ content }) => content);
    },
    (all) => times(/Refund:/g, all.join("\n")) === 10 && times(/Dispute/g, all.join("\n")) === 8,
  );
  const all = logged.join("\n");
  expect(logged.length).toBeLessThan(10);
  expect(times(/Dispute needs response: USD 5\.00, .*, to be answered by \w{3} \d+, 20\d\d at /g, all)).toBe(
    8,
  );
  expect(all).toMatch(/\d+ sales: USD \d+\.00/);
  for (const { key } of orders) expect(all).not.toContain(key);
});
