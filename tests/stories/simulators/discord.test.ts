import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  ChannelType,
  Client,
  DiscordAPIError,
  Events,
  GatewayIntentBits,
  type Guild,
  type Interaction,
  LabelBuilder,
  type Message,
  MessageFlags,
  ModalBuilder,
  SlashCommandBuilder,
  type TextChannel,
  TextInputBuilder,
  TextInputStyle,
} from "discord.js";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Answer } from "@/simulators/discord/control/answer";
import {
  type DiscordSimulator,
  type DiscordSimulatorOptions,
  startDiscordSimulator,
} from "@/simulators/discord/simulator";

let simulator: DiscordSimulator;
const clients: Client[] = [];
const ahead = { ms: 0 };
const start = async (options: DiscordSimulatorOptions = {}) => {
  simulator = await startDiscordSimulator({ seed: 1, now: () => Date.now() + ahead.ms, ...options });
};

beforeEach(() => start());
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.destroy()));
  await simulator.stop();
  ahead.ms = 0;
});

const { Guilds, GuildMembers, GuildMessages, MessageContent } = GatewayIntentBits;
const allIntents = [Guilds, GuildMembers, GuildMessages, MessageContent];

/** The real discord.js, logged in. */
async function logIn(
  intents: GatewayIntentBits[] = allIntents,
): Promise<{ client: Client<true>; guild: Guild }> {
  const client = new Client({ intents, rest: { api: `${simulator.url}/api` } });
  clients.push(client);
  const ready = new Promise<Client<true>>((resolve) => client.once(Events.ClientReady, resolve));
  await client.login(simulator.botToken);
  const guild = (await ready).guilds.cache.get(simulator.guildId);
  if (!guild) throw new Error("the bot does not see the server");
  return { client: await ready, guild };
}

/** Calls the control API. */
async function control<T = Record<string, never>>(path: string, body?: object): Promise<T> {
  const init = body && { method: "POST", body: JSON.stringify(body) };
  const answer = await fetch(`${simulator.url}/_control/${path}`, init);
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as T;
}

const answerTo = (path: string, body: object) => control<Answer>(`interact/${path}`, body);
type Tally = {
  limited: Record<string, number>;
  invalid: number;
  faulted: number;
  identifies: number;
  resumes: number;
};
const tally = () => control<Tally>("tally");
const holders = async () => (await control<{ holders: string[] }>("holders")).holders;

async function idOf(username: string): Promise<string> {
  const { members } = await control<{ members: { id: string; username: string }[] }>("members");
  const found = members.find((one) => one.username === username);
  if (!found) throw new Error(`there is nobody called ${username}`);
  return found.id;
}

/** The code and status of a refused call. */
async function refusal(action: Promise<unknown>): Promise<{ code: number | string; status: number }> {
  try {
    await action;
  } catch (error) {
    if (error instanceof DiscordAPIError) return { code: error.code, status: error.status };
    throw error;
  }
  throw new Error("nothing was refused");
}

function eventsOf(client: Client, event: string): Promise<unknown[]> {
  return new Promise((resolve) => client.once(event, (...args: unknown[]) => resolve(args)));
}

async function eventually(holds: () => boolean | Promise<boolean>) {
  const deadline = performance.now() + 60_000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error("it never happened");
    await Bun.sleep(10);
  }
}

type Call = { authorization?: string; method?: string; body?: string };
const rest = (path: string, { authorization = `Bot ${simulator.botToken}`, ...init }: Call = {}) =>
  fetch(`${simulator.url}/api/v10${path}`, {
    ...init,
    headers: { authorization },
  });

const slash = (name: string) => new SlashCommandBuilder().setName(name).setDescription("A command.");
const button = (id: string) =>
  new ActionRowBuilder<ButtonBuilder>().addComponents(
    new ButtonBuilder().setCustomId(id).setLabel("Open").setStyle(ButtonStyle.Primary),
  );

/** A bot that answers `/ask` with `how`. */
async function answering(how: (interaction: Interaction) => Promise<unknown>) {
  const bot = await logIn();
  await bot.guild.commands.set([slash("ask")]);
  bot.client.on(Events.InteractionCreate, (interaction) => void how(interaction));
  return bot;
}
const ask = (more: object = {}) => answerTo("slash", { user: "ada", command: "ask", ...more });

describe("logging in", () => {
  test("a privileged intent that is not enabled is refused with 4014", async () => {
    await control("bot", { intents: ["message_content"] });
    const d = { token: simulator.botToken, intents: GuildMembers, properties: {} };
    expect(await closeCodeAfter({ op: 2, d })).toBe(4014);
    expect((await rest(`/guilds/${simulator.guildId}/members?limit=5`)).status).toBe(403);
  });

  test("without the message-content intent a bot cannot read what others write", async () => {
    await control("bot", { intents: ["members"] });
    const { client } = await logIn([Guilds, GuildMessages]);
    const created = eventsOf(client, Events.MessageCreate);
    await control("messages", { user: "ada", content: "a secret" });
    expect((await created)[0]).toMatchObject({ content: "" });
  });
});

function socket(): WebSocket {
  return new WebSocket(`${simulator.url.replace("http", "ws")}/gateway?v=10&encoding=json`);
}

function closeCodeAfter(payload: object): Promise<number> {
  return new Promise((resolve) => {
    const line = socket();
    line.addEventListener("open", () => line.send(JSON.stringify(payload)));
    line.addEventListener("close", ({ code }) => resolve(code));
  });
}

describe("members and roles", () => {
  test("unknown members, users and roles, and malformed ids, each have their own code", async () => {
    const { guild } = await logIn();
    const [ada, tim] = [await idOf("ada"), await idOf("tim")];
    const add = (user: string, role: string) => refusal(guild.members.addRole({ user, role }));
    expect(await add(tim, simulator.premiumRoleId)).toEqual({ code: 10007, status: 404 });
    expect(await add("123456789012345678", simulator.premiumRoleId)).toEqual({ code: 10013, status: 404 });
    expect(await add(ada, "123456789012345678")).toEqual({ code: 10011, status: 404 });
    expect(await add(ada, "premium")).toEqual({ code: 50035, status: 400 });
    expect(await refusal(guild.members.fetch(tim))).toEqual({ code: 10007, status: 404 });
  });

  test("the bot can't give a role at or above its own, nor any without the permission", async () => {
    const { guild } = await logIn();
    const user = await idOf("ada");
    const add = (role: string) => guild.members.addRole({ user, role });
    expect(await refusal(add(simulator.supportRoleId))).toEqual({ code: 50013, status: 403 });
    expect(await refusal(add(simulator.botRoleId))).toEqual({ code: 50013, status: 403 });
    await control("bot", { role: "below" });
    expect(await refusal(add(simulator.premiumRoleId))).toEqual({ code: 50013, status: 403 });
    await control("bot", { role: "above", deny: ["MANAGE_ROLES"] });
    expect(await refusal(add(simulator.premiumRoleId))).toEqual({ code: 50013, status: 403 });
    await control("bot", { grant: ["MANAGE_ROLES"] });
    await add(simulator.premiumRoleId);
    expect(await holders()).toEqual([user]);
  });

  test("somebody who leaves and comes back has lost the role, and the bot is told of both", async () => {
    const { client, guild } = await logIn();
    const user = await idOf("ada");
    await guild.members.addRole({ user, role: simulator.premiumRoleId });
    const gone = eventsOf(client, Events.GuildMemberRemove);
    await control("leave", { user: "ada" });
    expect((await gone)[0]).toMatchObject({ id: user });
    const back = eventsOf(client, Events.GuildMemberAdd);
    await control("join", { user: "ada" });
    expect((await back)[0]).toMatchObject({ id: user });
    expect(await holders()).toEqual([]);
  });

  test("an admin's change of roles is sent to the bot", async () => {
    const { client, guild } = await logIn();
    const ada = await guild.members.fetch(await idOf("ada"));
    const updated = eventsOf(client, Events.GuildMemberUpdate);
    await control("roles", { user: "ada", role: "Premium" });
    expect((await updated)[1]).toMatchObject({ id: ada.id });
    expect(ada.roles.cache.has(simulator.premiumRoleId)).toBe(true);
  });

  test("2,500 members are listed a thousand at a time", async () => {
    const { guild } = await logIn();
    await control("seed-members", { count: 2500 });
    let after: string | undefined;
    const sizes: number[] = [];
    do {
      const page = await guild.members.list({ limit: 1000, ...(after !== undefined && { after }) });
      sizes.push(page.size);
      after = page.size === 1000 ? page.lastKey() : undefined;
    } while (after !== undefined);
    expect(sizes).toEqual([1000, 1000, 507]);
  });
});

describe("interactions", () => {
  test("commands are replaced as a whole, keep their ids, and are refused when they are invalid", async () => {
    const { guild } = await logIn();
    const [first] = [...(await guild.commands.set([slash("ask")])).keys()];
    const again = await guild.commands.set([slash("ask"), slash("other")]);
    expect([...again.keys()][0]).toBe(first);
    const wrong = [{ name: "Not Lower Case", description: "" }];
    const answer = await rest(`/applications/${simulator.clientId}/guilds/${simulator.guildId}/commands`, {
      method: "PUT",
      body: JSON.stringify(wrong),
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      code: 50035,
      errors: { 0: { name: { _errors: [{ message: expect.any(String) }] } } },
    });
    expect((await guild.commands.fetch()).size).toBe(2);
  });

  test("a deferred answer is shown as thinking until it comes", async () => {
    await answering(async (interaction) => {
      if (!interaction.isChatInputCommand()) return;
      await interaction.deferReply({ flags: MessageFlags.Ephemeral });
      await eventually(async () => (await waiting).thinking);
      await interaction.editReply("first");
    });
    const waiting = ask({ until: "ack" });
    expect(await waiting).toMatchObject({
      acknowledged: "deferred_message",
      thinking: true,
      ephemeral: true,
    });
    expect(await ask()).toMatchObject({ thinking: false, ephemeral: true, content: "first" });
  });

  test("options arrive typed and resolved, and a required option cannot be left out", async () => {
    const { client, guild } = await logIn();
    const issue = slash("licence").addSubcommand((sub) =>
      sub
        .setName("issue")
        .setDescription("Issues one.")
        .addUserOption((option) => option.setName("who").setDescription("Whom.").setRequired(true))
        .addIntegerOption((option) => option.setName("days").setDescription("How long.").setMinValue(1)),
    );
    await guild.commands.set([issue]);
    client.on(Events.InteractionCreate, (interaction) => {
      if (!interaction.isChatInputCommand()) return;
      const { options } = interaction;
      const contents = [
        options.getSubcommand(),
        options.getUser("who", true).username,
        options.getInteger("days"),
      ];
      void interaction.reply(contents.join(" "));
    });
    const use = (options: object) =>
      answerTo("slash", { user: "sam", command: "licence", subcommand: "issue", options });
    expect((await use({ who: "dora", days: 30 })).content).toBe("issue dora 30");
    expect(use({ days: 3 })).rejects.toThrow("who is required");
    expect(use({ who: "dora", days: 0 })).rejects.toThrow("can't be 0");
  });

  test("a button shows a form, and the bot receives what is filled in", async () => {
    await answering(async (interaction) => {
      if (interaction.isChatInputCommand())
        await interaction.reply({ content: "Tickets", components: [button("open")] });
      if (interaction.isButton()) await interaction.showModal(form);
      if (interaction.isModalSubmit())
        await interaction.reply({
          content: interaction.fields.getTextInputValue("what"),
          flags: MessageFlags.Ephemeral,
        });
    });
    const form = new ModalBuilder()
      .setCustomId("ticket")
      .setTitle("Ticket")
      .addLabelComponents(
        new LabelBuilder()
          .setLabel("What happened?")
          .setTextInputComponent(
            new TextInputBuilder().setCustomId("what").setStyle(TextInputStyle.Paragraph).setMinLength(3),
          ),
      );
    const message = messageIdOf(await ask());
    const shown = await answerTo("button", { user: "dora", message, label: "Open" });
    expect(shown).toMatchObject({ acknowledged: "modal", modal: { custom_id: "ticket" } });
    const fill = (what: string) =>
      answerTo("modal", { user: "dora", interaction: shown.interaction, fields: { what } });
    expect(fill("no")).rejects.toThrow("can't be");
    expect(await fill("It broke.")).toMatchObject({ content: "It broke.", ephemeral: true });
  });

  test("an answer after three seconds is refused with 10062, a second one with 40060", async () => {
    const codes: (number | string)[] = [];
    await answering(async (interaction) => {
      if (!interaction.isChatInputCommand()) return;
      if (interaction.user.username === "dora") {
        ahead.ms += 4000;
        codes.push((await refusal(interaction.reply("late"))).code);
      } else {
        await interaction.reply("first");
        const path = `/interactions/${interaction.id}/${interaction.token}/callback`;
        const again = await rest(path, {
          method: "POST",
          body: JSON.stringify({ type: 4, data: { content: "x" } }),
        });
        codes.push(((await again.json()) as { code: number }).code);
      }
    });
    await ask();
    expect(await ask({ user: "dora", timeout_ms: 300 })).toMatchObject({ acknowledged: null });
    await eventually(() => codes.length === 2);
    expect(codes).toEqual([40060, 10062]);
  });
});

const messageIdOf = ({ messages: [first] }: Answer): string => {
  if (!first || !("id" in first)) throw new Error("the bot answered no message");
  return String(first.id);
};

describe("messages and threads", () => {
  test("allowed mentions are respected, and a nonce makes a repeated message harmless, but is not kept with it", async () => {
    const { client } = await logIn();
    const general = (await client.channels.fetch(simulator.generalChannelId)) as TextChannel;
    const ada = await idOf("ada");
    const text = `@everyone <@${ada}> <@&${simulator.supportRoleId}>`;
    const loud = await general.send(text);
    expect([loud.mentions.everyone, loud.mentions.users.size, loud.mentions.roles.size]).toEqual([
      true,
      1,
      1,
    ]);
    const still = await general.send({ content: text, allowedMentions: { parse: [] } });
    expect([still.mentions.everyone, still.mentions.users.size, still.mentions.roles.size]).toEqual([
      false,
      0,
      0,
    ]);
    const twice = { content: "once", nonce: "7", enforceNonce: true };
    const { id, nonce } = await general.send(twice);
    expect([(await general.send(twice)).id, nonce]).toEqual([id, "7"]);
    const fetched = await (await rest(`/channels/${simulator.generalChannelId}/messages/${id}`)).json();
    expect(fetched).not.toHaveProperty("nonce");
  });

  test("invalid messages are refused with the path of the error", async () => {
    const post = async (body: object) => {
      const path = `/channels/${simulator.generalChannelId}/messages`;
      return (await rest(path, { method: "POST", body: JSON.stringify(body) })).json();
    };
    const twice = { type: 2, style: 1, label: "x", custom_id: "same" };
    const refused = await post({ content: "x", components: [{ type: 1, components: [twice, twice] }] });
    expect(refused).toMatchObject({
      errors: { components: { _errors: [{ message: expect.stringContaining("duplicated") }] } },
    });
    expect(await post({ content: "" })).toMatchObject({ code: 50006 });
    expect(await post({ content: "x".repeat(2001) })).toMatchObject({
      errors: { content: { _errors: [{ message: expect.any(String) }] } },
    });
  });

  test("a private thread is seen by its members and staff, and by nobody else", async () => {
    const { client } = await logIn();
    const support = (await client.channels.fetch(simulator.supportChannelId)) as TextChannel;
    const thread = await support.threads.create({
      name: "ticket",
      type: ChannelType.PrivateThread,
      invitable: false,
    });
    await thread.members.add(await idOf("ada"));
    await thread.send({
      content: "What happened?",
      files: [{ attachment: Buffer.from("log"), name: "log.txt" }],
    });
    const seenBy = async (who: string) =>
      (await control<{ channels: { name: string }[] }>(`visible?as=${who}`)).channels.map(({ name }) => name);
    expect(await seenBy("ada")).toEqual(["general", "support", "ticket"]);
    expect(await seenBy("dora")).toEqual(["general", "support"]);
    expect(await seenBy("sam")).toEqual(["general", "support", "staff", "ticket"]);
    const written = eventsOf(client, Events.MessageCreate);
    await control("messages", {
      user: "ada",
      channel: "ticket",
      content: "It broke.",
      files: [{ filename: "a.txt", content: "abc" }],
    });
    const [message] = (await written) as [{ attachments: Map<string, { url: string }> }];
    const [file] = [...message.attachments.values()];
    expect(await (await fetch(String(file?.url))).text()).toBe("abc");
    expect(control("messages", { user: "dora", channel: "ticket", content: "hi" })).rejects.toThrow(
      "Missing Access",
    );
  });

  test("names with certain words are refused, and a forwarded message comes as a snapshot with its stickers", async () => {
    const { client } = await logIn();
    const support = (await client.channels.fetch(simulator.supportChannelId)) as TextChannel;
    const open = (name: string) => support.threads.create({ name, type: ChannelType.PrivateThread });
    expect(await refusal(open("#1488 License"))).toEqual({ code: 50035, status: 400 });
    const thread = await open("ticket");
    await thread.members.add(await idOf("ada"));
    const heard = eventsOf(client, Events.MessageCreate);
    const original = await control<{ id: string }>("messages", {
      user: "dora",
      content: "Error 5",
      stickers: [{ name: "Wave" }],
      files: [{ filename: "a.txt", content: "abc" }],
    });
    await heard;
    const written = eventsOf(client, Events.MessageCreate);
    await control("messages", { user: "ada", channel: thread.id, forward: original.id });
    const [message] = (await written) as [Message];
    const snapshot = message.messageSnapshots.first();
    expect([message.content, snapshot?.content]).toEqual(["", "Error 5"]);
    expect(snapshot?.stickers.map(({ name }) => name)).toEqual(["Wave"]);
    expect(snapshot?.attachments.map(({ name }) => name)).toEqual(["a.txt"]);

    await control("threads/leave", { user: "ada", thread: thread.id });
    expect(JSON.stringify(await control("visible?as=ada"))).not.toContain(thread.id);
  });

  test("a locked and archived thread is closed to members, and can be opened again", async () => {
    const { client } = await logIn();
    const support = (await client.channels.fetch(simulator.supportChannelId)) as TextChannel;
    const thread = await support.threads.create({ name: "ticket", type: ChannelType.PrivateThread });
    await thread.members.add(await idOf("ada"));
    await thread.setLocked(true);
    await thread.setArchived(true);
    expect(control("messages", { user: "ada", channel: thread.id, content: "wait" })).rejects.toThrow(
      "locked",
    );
    expect((await support.threads.fetchActive()).threads.size).toBe(0);
    await thread.setArchived(false);
    expect((await support.threads.fetchActive()).threads.size).toBe(1);
    const gone = eventsOf(client, Events.ThreadDelete);
    await control("channels/delete", { channel: thread.id });
    await gone;
    expect(await refusal(client.rest.get(`/channels/${thread.id}`))).toEqual({ code: 10003, status: 404 });
  });
});

describe("limits", () => {
  test("the headers announce an empty bucket, so that discord.js never overruns it", async () => {
    const route = "PUT /guilds/:id/members/:id/roles/:id";
    await control("limits", { overrides: { [route]: { limit: 3, windowMs: 200 } } });
    const { guild } = await logIn();
    const user = await idOf("ada");
    const began = performance.now();
    for (let count = 0; count < 10; count += 1)
      await guild.members.addRole({ user, role: simulator.premiumRoleId });
    expect(performance.now() - began).toBeGreaterThan(550);
    expect(await tally()).toMatchObject({ limited: { user: 0 }, invalid: 0 });
  });

  test("a client that ignores the headers receives a complete 429", async () => {
    const role = `/guilds/${simulator.guildId}/members/${await idOf("ada")}/roles/${simulator.premiumRoleId}`;
    const put = () => rest(role, { method: "PUT" });
    for (let count = 0; count < 10; count += 1) expect((await put()).status).toBe(204);
    const answer = await put();
    expect(answer.status).toBe(429);
    expect(answer.headers.get("x-ratelimit-scope")).toBe("user");
    expect(answer.headers.get("x-ratelimit-remaining")).toBe("0");
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(5);
    expect(await answer.json()).toMatchObject({ global: false, message: "You are being rate limited." });
    expect(await tally()).toMatchObject({ limited: { user: 1 }, invalid: 1 });
    ahead.ms += 10_001;
    expect((await put()).status).toBe(204);
  });

  test("too many calls in a second over all routes meet the global limit", async () => {
    await control("limits", { globalPerSecond: 5 });
    const answers = await Promise.all(Array.from({ length: 8 }, () => rest("/users/@me")));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(3);
    expect(refused[0]?.headers.get("x-ratelimit-global")).toBe("true");
    expect(await refused[0]?.json()).toMatchObject({ global: true });
  });

  test("faults can be set before or after the effect, and the API can be away", async () => {
    const { guild } = await logIn();
    const user = await idOf("ada");
    await control("faults", { api: { next: [{ fail: 500, count: 5, when: "after", path: "/roles/" }] } });
    expect(guild.members.addRole({ user, role: simulator.premiumRoleId })).rejects.toThrow();
    await eventually(async () => (await holders()).length === 1);
    await control("faults", { api: { away: true } });
    expect(rest("/users/@me")).rejects.toThrow();
    await control("faults", { api: { away: false } });
    expect((await rest("/users/@me")).status).toBe(200);
  });
});

describe("OAuth", () => {
  const redirect = "http://shop.test/dashboard/discord-callback";
  const verifier = "v".repeat(64);
  const challenge = new Bun.CryptoHasher("sha256").update(verifier).digest("base64url");
  const link = (more: Record<string, string> = {}) =>
    `${simulator.url}/oauth2/authorize?${new URLSearchParams({
      client_id: simulator.clientId,
      redirect_uri: redirect,
      response_type: "code",
      scope: "identify guilds.join",
      state: "s-1",
      code_challenge: challenge,
      code_challenge_method: "S256",
      ...more,
    })}`;
  const decide = async (user: string, approve = true, url = link()) =>
    new URL((await control<{ redirect: string }>("authorize", { url, user, approve })).redirect);
  const asClient = (path: string, form: Record<string, string>, secret = simulator.clientSecret) =>
    fetch(`${simulator.url}/api/oauth2/${path}`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa(`${simulator.clientId}:${secret}`)}` },
      body: new URLSearchParams(form),
    });
  const token = async (form: Record<string, string>, secret = simulator.clientSecret) => {
    const answer = await asClient("token", form, secret);
    return { status: answer.status, json: (await answer.json()) as Record<string, string> };
  };
  const exchange = (code: string, more: Record<string, string> = {}) =>
    token({
      grant_type: "authorization_code",
      code,
      redirect_uri: redirect,
      code_verifier: verifier,
      ...more,
    });
  const me = (accessToken: string) =>
    fetch(`${simulator.url}/api/users/@me`, { headers: { authorization: `Bearer ${accessToken}` } });

  test("a code is valid once, for a minute, with its verifier, its redirect URI and the client secret", async () => {
    const code = async () => String((await decide("tim")).searchParams.get("code"));
    const used = await code();
    expect((await exchange(used)).status).toBe(200);
    expect((await exchange(used)).json).toMatchObject({ error: "invalid_grant" });
    expect((await exchange(await code(), { code_verifier: "w".repeat(64) })).status).toBe(400);
    expect((await exchange(await code(), { redirect_uri: "http://evil.test/" })).status).toBe(400);
    expect((await token({ grant_type: "authorization_code" }, "wrong")).json).toEqual({
      error: "invalid_client",
    });
    const old = await code();
    ahead.ms += 61_000;
    expect((await exchange(old)).status).toBe(400);
  });

  test("a token adds its owner to the server, and ends when revoked", async () => {
    const { client } = await logIn();
    const tim = await idOf("tim");
    const { json } = await exchange(String((await decide("tim")).searchParams.get("code")));
    const path = `/guilds/${simulator.guildId}/members` as const;
    const add = (user: string, accessToken: string) =>
      client.rest.put(`${path}/${user}`, {
        body: { access_token: accessToken },
      });
    expect(await refusal(add(await idOf("rhea"), String(json["access_token"])))).toEqual({
      code: 50025,
      status: 403,
    });
    await add(tim, String(json["access_token"]));
    expect((await rest(`${path}/${tim}`)).status).toBe(200);
    await asClient("token/revoke", { token: String(json["access_token"]) });
    expect((await me(String(json["access_token"]))).status).toBe(401);
  });
});

describe("the page", () => {
  const look = async (query: string) => (await fetch(`${simulator.url}/?${query}`)).text();
  const submit = async (action: string, given: object, fields: Record<string, string> = {}) => {
    const query = new URLSearchParams({ as: await idOf("ada"), channel: simulator.generalChannelId });
    const body = new URLSearchParams({ given: JSON.stringify({ user: "ada", ...given }), ...fields });
    const init = { method: "POST", body, redirect: "manual" } as const;
    const answer = await fetch(`${simulator.url}/_do/${action}?${query}`, init);
    return new URL(String(answer.headers.get("location")), simulator.url).searchParams;
  };

  test("shows each person what they may see, and never runs what they write", async () => {
    await control("messages", { user: "mallory", content: "<img src=x onerror=alert(1)>" });
    await control("messages", { user: "sam", channel: "staff", content: "among us" });
    expect(await look("as=ada")).toContain("&lt;img src=x onerror=alert(1)&gt;");
    const staff = `channel=${simulator.staffChannelId}`;
    expect(await look(`as=sam&${staff}`)).toContain("among us");
    expect(await look(`as=ada&${staff}`)).not.toContain("among us");
  });

  test("lets somebody press a button and fill in the form it shows", async () => {
    await answering(async (interaction) => {
      if (interaction.isChatInputCommand()) await interaction.reply({ components: [button("open")] });
      const input = new TextInputBuilder().setCustomId("what").setStyle(TextInputStyle.Short);
      const label = new LabelBuilder().setLabel("What happened?").setTextInputComponent(input);
      if (interaction.isButton())
        await interaction.showModal(
          new ModalBuilder().setCustomId("m").setTitle("Ticket").addLabelComponents(label),
        );
      if (interaction.isModalSubmit())
        await interaction.reply({ content: "Thank you!", flags: MessageFlags.Ephemeral });
    });
    await submit("interact/slash", { command: "ask" });
    const { messages } = await control<{ messages: { id: string }[] }>("channels/general/messages?as=ada");
    const pressed = await submit("interact/button", { message: messages[0]?.id, custom_id: "open" });
    expect(await look(String(pressed))).toContain("What happened?");
    await submit("interact/modal", { interaction: pressed.get("form") }, { "fields[what]": "It broke." });
    expect(await look("as=ada")).toContain("Thank you!");
    expect(await look("as=dora")).not.toContain("Thank you!");
  });

  test("says when the bot did not answer, and refuses forms from other sites", async () => {
    const { guild, client } = await logIn();
    await guild.commands.set([slash("ask")]);
    await client.destroy();
    expect((await submit("interact/slash", { command: "ask" })).get("problem")).toContain("did not respond");
    const foreign = { method: "POST", headers: { "sec-fetch-site": "cross-site" } };
    expect((await fetch(`${simulator.url}/_do/leave`, foreign)).status).toBe(403);
    expect((await fetch(`${simulator.url}/_control/leave`, foreign)).status).toBe(403);
  });
});

describe("the simulator itself", () => {
  test("the same seed gives the same ids and tokens", async () => {
    const other = await startDiscordSimulator({ seed: 1 });
    const { url: _url, stop: _stop, ...known } = { ...other, stop: null };
    expect(simulator).toMatchObject(known);
    await other.stop();
  });

  test("with a data folder everything survives a SIGKILL", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "discord-simulator-"));
    const program = async () => {
      const child = Bun.spawn(
        [process.execPath, "src/simulators/main.ts", "discord", "--data-dir", dataDir],
        {
          stdout: "pipe",
        },
      );
      const { value } = await child.stdout.getReader().read();
      return { child, started: JSON.parse(new TextDecoder().decode(value)) as DiscordSimulator };
    };
    const first = await program();
    const post = (started: DiscordSimulator, path: string, body: object) =>
      fetch(`${started.url}/_control/${path}`, { method: "POST", body: JSON.stringify(body) });
    await post(first.started, "roles", { user: "ada", role: "Premium" });
    await post(first.started, "messages", { user: "ada", content: "remember me" });
    first.child.kill("SIGKILL");
    await first.child.exited;
    const second = await program();
    expect(second.started.botToken).toBe(first.started.botToken);
    const held = (await (await fetch(`${second.started.url}/_control/holders`)).json()) as {
      holders: string[];
    };
    expect(held.holders).toHaveLength(1);
    const read = await (await fetch(`${second.started.url}/_control/channels/general/messages`)).text();
    expect(read).toContain("remember me");
    second.child.kill("SIGTERM");
    expect(await second.child.exited).toBe(0);
    await rm(dataDir, { recursive: true });
  });
});
