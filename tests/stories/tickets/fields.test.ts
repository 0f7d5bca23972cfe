import { expect, test } from "bun:test";
import { eventually, type Stage } from "../../support/shop/stage";
import {
  close,
  kept,
  messagesIn,
  openDesk,
  openInDiscord,
  staffNotices,
  threads,
  type,
  waitForText,
  waitForTicket,
} from "../../support/people/tickets";

/** Markup that a member might smuggle through a field; short enough for a name. */
const charges = {
  everyone: "@everyone @here",
  role: "<@&{support}> <@{sam}>",
  link: "https://evil.example",
  "masked link": "[x](https://evil.example)",
  markup: "**b** _i_ ~~s~~ ||p|| # h",
  code: "```js\nx``` `y`",
  blanks: "{ticket} $& $' {member}",
  list: "- a > b",
};

/** Every field that a member can fill, and how. The bot repeats each one somewhere. */
const fields: Record<string, (stage: Stage, text: string) => Promise<unknown>> = {
  "the form of a topic": (stage, text) => openInDiscord(stage, "ada", { text }),
  "their own name": async (stage, text) => {
    await stage.atDiscord("members/rename", { user: "ada", global_name: text.slice(0, 32) });
    const { card } = await openInDiscord(stage, "ada");
    await type(stage, "sam", "ticket list");
    await type(stage, "sam", "ticket tag", { number: 1, name: "refund" });
    await close(stage, card);
  },
  "their nickname": async (stage, text) => {
    await stage.atDiscord("members/rename", { user: "ada", nick: text.slice(0, 32) });
    await openInDiscord(stage, "ada");
    await type(stage, "sam", "ticket tag", { number: 1, name: "send-log" });
  },
  "a message": async (stage, text) => {
    const { thread, card } = await openInDiscord(stage, "ada");
    await stage.atDiscord("messages", { user: "ada", channel: thread, content: text });
    await close(stage, card);
  },
};

for (const [field, fill] of Object.entries(fields)) {
  test(`mentions, links and markup do nothing in ${field}`, async () => {
    await using stage = await openDesk();
    await stage.atDiscord("limits", { enabled: false });
    const { roles, members } = await stage.atDiscord("state");
    const idOf = (all: { id: string; name?: string; username?: string }[], name: string) =>
      all.find((one) => one.name === name || one.username === name)?.id ?? "";
    const [support, sam] = [idOf(roles, "Support"), idOf(members, "sam")];
    for (const [number, charge] of Object.values(charges).entries()) {
      await fill(stage, charge.replace("{support}", support).replace("{sam}", sam));
      await type(stage, "sam", "ticket close", { number: number + 1, reason: "Next" });
      await eventually(
        async () =>
          (await waitForTicket(stage, ({ farewell_id }) => Boolean(farewell_id))).number === number + 1,
      );
    }
    const messages = await everythingSaidByTheShop(stage, sam);
    expect(messages.length).toBeGreaterThan(Object.keys(charges).length * 2);
    for (const message of messages) {
      expect(message.mention_everyone).toBe(false);
      expect(message.mention_roles).toEqual([]);
      expect(message.mentions.map(({ id }: { id: string }) => id)).not.toContain(sam);
      for (const text of textsOf(message)) expect(harmIn(text)).toEqual([]);
    }
  });
}

test("mentions, links and markup do nothing in staff's reason either", async () => {
  await using stage = await openDesk();
  const { card, thread } = await openInDiscord(stage, "ada");
  await close(stage, card, "@everyone [x](https://evil.example) ```");
  await waitForTicket(stage, ({ farewell_id }) => Boolean(farewell_id));
  for (const message of await messagesIn(stage, thread, "sam")) {
    if (!message.author.bot) continue;
    expect(message.mention_everyone).toBe(false);
    for (const text of textsOf(message)) expect(harmIn(text)).toEqual([]);
  }
});

test("a member's name that looks like a tag's placeholder is left as it is", async () => {
  await using stage = await openDesk();
  await stage.atDiscord("members/rename", { user: "ada", global_name: "{product} $& {ticket}" });
  const { thread } = await openInDiscord(stage, "ada");
  await type(stage, "sam", "ticket tag", { number: 1, name: "refund" });
  await waitForText(stage, thread, "{product} $& {ticket}, see our Refunds Policy");
});

test("a member's text is kept and shown as they typed it", async () => {
  await using stage = await openDesk();
  const text = Object.values(charges).join("\n");
  const { thread } = await openInDiscord(stage, "ada", { text });
  await stage.atDiscord("messages", { user: "ada", channel: thread, content: text });
  await eventually(async () => (await kept(stage)).some(({ content }) => content === text));
  expect((await waitForTicket(stage, () => true)).question).toBe(text);
  expect(await staffNotices(stage)).not.toContain("evil.example");
  expect(await threads(stage)).toHaveLength(1);
});

type Message = {
  content: string;
  embeds: object[];
  mention_everyone: boolean;
  mention_roles: string[];
  mentions: { id: string }[];
};

/** The bot's messages in threads, to staff, and in private answers. */
async function everythingSaidByTheShop(stage: Stage, sam: string): Promise<Message[]> {
  const people = await Promise.all(["sam", "ada"].map((user) => stage.atDiscord(`visible?as=${user}`)));
  const all = people.flatMap(({ channels }) =>
    channels.flatMap((one: { messages: Message[] }) => one.messages),
  );
  return all.filter((one) => one.author.bot && one.author.id !== sam);
}

/** The texts of a message that Discord reads as markup. */
function textsOf({ content, embeds }: Message): string[] {
  const inEmbeds = [...JSON.stringify(embeds).matchAll(/"(?:title|description|value)":("(?:[^"\\]|\\.)*")/g)];
  return [content, ...inEmbeds.map(([, text = '""']) => JSON.parse(text) as string)];
}

/** The parts of the markup that would still take effect outside code blocks and after escaping. */
function harmIn(text: string): string[] {
  const open = text.replace(/```\n[^`]*\n```/g, "").replace(/\\[^0-9A-Za-z\s]/g, "");
  const patterns = [
    /https?:\/\/evil/,
    /\]\(/,
    /<@&/,
    /@(?:everyone|here)\b/,
    /\*\*b\*\*/,
    /_i_/,
    /~~s~~/,
    /\|\|p\|\|/,
    /(?:^|\s)# h/,
    /```js/,
    /`y`/,
    /^- a/m,
  ];
  return patterns.flatMap((pattern) => pattern.exec(open)?.[0] ?? []);
}
