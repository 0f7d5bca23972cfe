import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  Client,
  DiscordAPIError,
  Events,
  GatewayIntentBits,
  type Guild,
  type Interaction,
  LabelBuilder,
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
});

describe("limits", () => {
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
