import { expect, test } from "bun:test";
import { connect, customer, waitForBot } from "../../support/people/discord";
import { eventually, type Stage } from "../../support/shop/stage";
import { kept, openDesk, openInDiscord } from "../../support/people/tickets";

const write = (stage: Stage, channel: string, user: string, more: object) =>
  stage.atDiscord("messages", { user, channel, ...more });

/** People's messages in words, once there are this many. */
const words = async (stage: Stage, count: number) => {
  const rows = await eventually(
    async () => (await kept(stage)).filter(({ author }) => author !== "shop"),
    (found) => found.length === count,
  );
  return rows.map(({ author, content }) => [author, content]);
};

const filesOf = async (stage: Stage, count: number) => {
  const read = async () =>
    (await stage.ctx.store.client.execute("SELECT name, state, type FROM ticket_files ORDER BY name")).rows;
  const rows = await eventually(
    read,
    (found) => found.length === count && found.every(({ state }) => state === "kept"),
  );
  return rows.map(({ name, type }) => [name, type]);
};

test("forwarded messages and stickers stand in a ticket in words with their files, whoever sent them", async () => {
  await using stage = await openDesk();
  const { person } = await customer(stage, "ada");
  await connect(stage, person, "ada");
  const { thread, id } = await openInDiscord(stage, "ada");
  const files = [{ filename: "log.txt", content: "a line" }];
  const original = await write(stage, "general", "dora", { content: "Error 5", files });
  await write(stage, thread, "ada", { forward: original.id });
  await write(stage, thread, "ada", { stickers: [{ name: "Wave" }] });
  await write(stage, thread, "sam", { content: "Look", stickers: [{ name: "Thumb", format: "lottie" }] });
  const pictureOnly = await write(stage, "general", "dora", { files: [{ filename: "a.txt", content: "b" }] });
  await write(stage, thread, "sam", { forward: pictureOnly.id });
  expect(await words(stage, 4)).toEqual([
    ["member", "Forwarded message:\nError 5"],
    ["member", "Sticker: Wave"],
    ["staff", "Look\nSticker: Thumb"],
    ["staff", "Forwarded message"],
  ]);
  expect(await filesOf(stage, 3)).toEqual([
    ["Wave.png", "image/png"],
    ["a.txt", "application/octet-stream"],
    ["log.txt", "application/octet-stream"],
  ]);
  const { messages } = (await person.get(`/api/tickets/${id}`)).body.data;
  const [file] = messages.find(({ content }: { content: string }) => content.includes("Error 5")).files;
  expect((await person.get(`/api/tickets/${id}/files/${file.id}`)).status).toBe(200);
});

test("the same file forwarded in two tickets is kept in both, also what was missed while the bot was down", async () => {
  await using stage = await openDesk();
  const first = await openInDiscord(stage, "ada");
  const second = await openInDiscord(stage, "dora");
  const files = [{ filename: "log.txt", content: "a line" }];
  const original = await write(stage, "general", "dora", { content: "Error 5", files });
  await write(stage, first.thread, "ada", { forward: original.id });
  await words(stage, 1);
  await stage.restart({
    async meanwhile() {
      await write(stage, second.thread, "dora", { forward: original.id });
      await write(stage, second.thread, "dora", { stickers: [{ name: "Wave", format: "gif" }] });
    },
  });
  await waitForBot(stage);
  expect(await words(stage, 3)).toEqual([
    ["member", "Forwarded message:\nError 5"],
    ["member", "Forwarded message:\nError 5"],
    ["member", "Sticker: Wave"],
  ]);
  expect((await filesOf(stage, 3)).map(([name]) => name)).toEqual(["Wave.gif", "log.txt", "log.txt"]);
});
