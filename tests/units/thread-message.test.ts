import { expect, test } from "bun:test";
import { type APIMessage, MessageType } from "discord.js";
import { threadMessage } from "../../bot/tickets/thread-message";

const cdn = {
  sticker: (id: string, ending = "png") => `https://cdn.discordapp.com/stickers/${id}.${ending}`,
};
const kept = (more: object) => {
  const message = {
    id: "9",
    type: MessageType.Default,
    content: "",
    author: { id: "1", username: "ada" },
    timestamp: "2026-01-31T10:00:00.000Z",
    edited_timestamp: null,
    attachments: [],
    ...more,
  };
  // what Discord sends has more fields
  return threadMessage("5", { cdn, me: "8" }, message as unknown as APIMessage);
};
const snapshot = (more: object) => ({
  message_snapshots: [{ message: { content: "", attachments: [], embeds: [], ...more } }],
});

test("a message without text of its own is described in words", () => {
  expect(kept(snapshot({ content: "Look" })).content).toBe("Forwarded message:\nLook");
  expect(kept(snapshot({ embeds: [{ title: "News", description: "2.0 is out" }] })).content).toBe(
    "Forwarded message:\nNews\n2.0 is out",
  );
  expect(kept(snapshot({ sticker_items: [{ id: "7", name: "Wave", format_type: 3 }] })).content).toBe(
    "Forwarded message:\nSticker: Wave",
  );
  const poll = {
    question: { text: "Which one?" },
    answers: [{ poll_media: { text: "This" } }, { poll_media: { text: "That" } }],
  };
  expect(kept({ poll }).content).toBe("Poll: Which one?\n- This\n- That");
  expect(kept({}).content).toBe("A message that can be seen only in Discord");
  expect(kept({ content: "Hi" }).content).toBe("Hi");
});

test("a file alone, and a program's message without text, need no words", () => {
  const attachments = [{ id: "3", filename: "a.png", size: 1, url: "https://cdn.discordapp.com/a.png" }];
  expect(kept({ attachments })).toMatchObject({ content: "", files: [{ id: "3" }] });
  expect(kept({ author: { id: "1", username: "bot", bot: true } }).content).toBe("");
});

test("only the bot's own messages count as the bot's", () => {
  const by = (author: object) => kept({ content: "Hi", author: { username: "x", ...author } }).writer;
  expect(by({ id: "8", bot: true })).toBe("bot");
  expect(by({ id: "1", bot: true })).toBe("app");
  expect(by({ id: "1" })).toBe("person");
});

test("forwarded files and stickers have an id for each message, since Discord gives them the same again", () => {
  const attachments = [{ id: "3", filename: "a.png", size: 1, url: "https://cdn.discordapp.com/a.png" }];
  const sticker_items = [
    { id: "6", name: "Wave", format_type: 4 },
    { id: "7", name: "Dance", format_type: 3 },
  ];
  const files = [
    { id: "9-3", name: "a.png" },
    { id: "9-6", name: "Wave.gif", size: 0, url: "https://cdn.discordapp.com/stickers/6.gif" },
  ];
  expect(kept(snapshot({ attachments, sticker_items })).files).toMatchObject(files);
  expect(kept({ attachments, sticker_items }).files.map(({ id }) => id)).toEqual(["3", "9-6"]);
});
