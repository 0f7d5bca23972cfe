import { afterEach, beforeEach, expect, test } from "bun:test";
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
  TextInputBuilder,
  TextInputStyle,
} from "discord.js";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Answer } from "@/simulators/discord/control/answer";
import { type DiscordSimulator, startDiscordSimulator } from "@/simulators/discord/simulator";
import { eventually } from "../../support/shop/stage";

let simulator: DiscordSimulator;
const clients: Client[] = [];
const ahead = { ms: 0 };

beforeEach(async () => {
  simulator = await startDiscordSimulator({ seed: 1, now: () => Date.now() + ahead.ms });
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.destroy()));
  await simulator.stop();
  ahead.ms = 0;
});

/** The real discord.js, logged in. */
async function logIn(): Promise<{ client: Client<true>; guild: Guild }> {
  const { Guilds, GuildMembers, GuildMessages, MessageContent } = GatewayIntentBits;
  const intents = [Guilds, GuildMembers, GuildMessages, MessageContent];
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

const rest = (path: string, init: RequestInit = {}) =>
  fetch(`${simulator.url}/api/v10${path}`, {
    ...init,
    headers: { authorization: `Bot ${simulator.botToken}` },
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
  expect(await control("tally")).toMatchObject({ limited: { user: 1 }, invalid: 1 });
  ahead.ms += 10_001;
  expect((await put()).status).toBe(204);
});

const look = async (query: string) => (await fetch(`${simulator.url}/?${query}`)).text();
const submit = async (action: string, given: object, fields: Record<string, string> = {}) => {
  const query = new URLSearchParams({ as: await idOf("ada"), channel: simulator.generalChannelId });
  const body = new URLSearchParams({ given: JSON.stringify({ user: "ada", ...given }), ...fields });
  const init = { method: "POST", body, redirect: "manual" } as const;
  const answer = await fetch(`${simulator.url}/_do/${action}?${query}`, init);
  return new URL(String(answer.headers.get("location")), simulator.url).searchParams;
};

test("the page shows each person what they may see, and never runs what they write", async () => {
  await control("messages", { user: "mallory", content: "<img src=x onerror=alert(1)>" });
  await control("messages", { user: "sam", channel: "staff", content: "among us" });
  expect(await look("as=ada")).toContain("&lt;img src=x onerror=alert(1)&gt;");
  const staff = `channel=${simulator.staffChannelId}`;
  expect(await look(`as=sam&${staff}`)).toContain("among us");
  expect(await look(`as=ada&${staff}`)).not.toContain("among us");
});

test("the page lets somebody press a button and fill in the form it shows", async () => {
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

test("the page says when the bot did not answer, and refuses forms from other sites", async () => {
  const { guild, client } = await logIn();
  await guild.commands.set([slash("ask")]);
  await client.destroy();
  expect((await submit("interact/slash", { command: "ask" })).get("problem")).toContain("did not respond");
  const foreign = { method: "POST", headers: { "sec-fetch-site": "cross-site" } };
  expect((await fetch(`${simulator.url}/_do/leave`, foreign)).status).toBe(403);
  expect((await fetch(`${simulator.url}/_control/leave`, foreign)).status).toBe(403);
});

test("with a data folder everything survives a SIGKILL", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "discord-simulator-"));
  const program = async () => {
    const child = Bun.spawn([process.execPath, "src/simulators/main.ts", "discord", "--data-dir", dataDir], {
      stdout: "pipe",
    });
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
