import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  Client,
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
import { type DiscordSimulator, startDiscordSimulator } from "@/simulators/discord/simulator";
import { control as controlAt } from "../../support/network/control";

let simulator: DiscordSimulator;
const clients: Client[] = [];

beforeEach(async () => {
  simulator = await startDiscordSimulator({ seed: 1 });
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.destroy()));
  await simulator.stop();
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

const control = <T = Record<string, never>>(action: string, body?: object): Promise<T> =>
  controlAt(simulator.url, action, body);

async function idOf(username: string): Promise<string> {
  const { members } = await control<{ members: { id: string; username: string }[] }>("members");
  const found = members.find((one) => one.username === username);
  if (!found) throw new Error(`there is nobody called ${username}`);
  return found.id;
}

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
}

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
