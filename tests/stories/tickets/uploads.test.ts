import { expect, test } from "bun:test";
import { minute } from "@/contract/vocabulary/time";
import type { BuildStore } from "@/domain/releases/store";
import { expectTicket } from "@/domain/tickets/reading/queries";
import { uploadFile } from "@/domain/tickets/writing/upload";
import { customer } from "../../support/people/discord";
import { atDesk } from "../../support/people/desk";
import type { Person } from "../../support/people/person";
import { messagesIn, openDesk, rowsOf, waitForText, waitForTicket } from "../../support/people/tickets";
import { eventually, openStage, type Stage } from "../../support/shop/stage";

const mebibyte = 1024 * 1024;
const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

/** A customer with an open ticket. */
async function asker(stage: Stage, name = "ada") {
  const { person } = await customer(stage, name);
  const asked = await person.post("/api/tickets", { topic: "other", question: "See the picture" });
  expect(asked.status).toBe(200);
  return { person, id: String(asked.body.data.id) };
}

const send = (person: Person, id: string, name: string, bytes: Uint8Array) =>
  person.send("POST", `/api/tickets/${id}/files?name=${encodeURIComponent(name)}`, {
    headers: { "content-type": "image/png" },
    body: Buffer.from(bytes),
  });

const filesOf = async (person: Person, id: string) =>
  (await person.get(`/api/tickets/${id}`)).body.data.messages.flatMap(
    ({ files }: { files: object[] }) => files,
  );

test("a file sent on the site appears on the page and, posted by the bot, in the thread, once each", async () => {
  await using stage = await openDesk();
  const { person, id } = await asker(stage);
  expect(await send(person, id, "../../shot`.png", png)).toMatchObject({ status: 200 });
  const thread = String((await waitForTicket(stage, ({ card_id }) => Boolean(card_id)))["thread_id"]);
  await waitForText(stage, thread, "ada (website): `.._.._shotˋ.png`");
  const posts = await messagesIn(stage, thread, "sam");
  const [post] = posts.filter(({ attachments }) => attachments.length > 0);
  expect(post.attachments).toMatchObject([{ size: png.length }]);
  await eventually(async () => (await stage.count("ticket_messages WHERE posted_at IS NULL")) === 0);
  const [file, ...others] = await filesOf(person, id);
  expect(others).toEqual([]);
  expect(file).toMatchObject({ name: ".._.._shot`.png", state: "kept", picture: true, size: png.length });
  const sent = await person.send("GET", `/api/tickets/${id}/files/${file.id}`);
  expect(sent.headers.get("content-type")).toBe("image/png");
  expect((await person.get("/api/tickets")).body.data[0].last).toEqual({
    author: "member",
    text: ".._.._shot`.png",
  });
});

test("a picture of more pixels than a browser should draw is a file, on the page and in the thread", async () => {
  await using stage = await openDesk();
  const { person, id } = await asker(stage);
  const huge = Buffer.concat([png, Buffer.from("00003e8000003e80", "hex")]);
  expect((await send(person, id, "bomb.png", huge)).status).toBe(200);
  const [file] = await filesOf(person, id);
  expect(file).toMatchObject({ name: "bomb.png", picture: false });
  const served = await person.send("GET", `/api/tickets/${id}/files/${file.id}`);
  expect(served.headers.get("content-disposition")).toStartWith("attachment");
  const desk = await atDesk(stage, "vera", "viewer");
  const { messages } = (await desk.get(`tickets/${id}`)).body.data;
  expect(messages.flatMap((one: { files: object[] }) => one.files)).toMatchObject([{ picture: false }]);
  const thread = String((await waitForTicket(stage, ({ card_id }) => Boolean(card_id)))["thread_id"]);
  await waitForText(stage, thread, "ada (website): `bomb.png`");
  const posts = await messagesIn(stage, thread, "sam");
  const sent = posts.flatMap(({ attachments }) => attachments);
  expect(sent).toMatchObject([{ filename: "bomb.png.bin" }]);
});

test("a file is accepted by its bytes and its size, and only the ticket's owner sends one, from a page of the shop", async () => {
  await using stage = await openStage();
  const { person, id } = await asker(stage);
  const html = Buffer.from("<script>alert(1)</script>");
  expect((await send(person, id, "page.png", html)).status).toBe(200);
  const [file] = await filesOf(person, id);
  expect(file).toMatchObject({ picture: false });
  const served = await person.send("GET", `/api/tickets/${id}/files/${file.id}`);
  expect(served.headers.get("content-type")).toBe("application/octet-stream");
  expect(served.headers.get("content-disposition")).toStartWith("attachment");

  expect(await send(person, id, "big.bin", new Uint8Array(8 * mebibyte + 1))).toMatchObject({
    status: 413,
    body: { code: "body_too_large" },
  });
  expect((await send(person, id, "whole.bin", new Uint8Array(8 * mebibyte))).status).toBe(200);
  expect((await send(person, id, "empty.bin", new Uint8Array(0))).body).toMatchObject({
    code: "invalid_field",
  });
  expect((await person.send("POST", `/api/tickets/${id}/files`, { body: html })).status).toBe(400);
  const { person: mallory } = await customer(stage, "mallory");
  expect(await send(mallory, id, "a.png", png)).toMatchObject({
    status: 404,
    body: { code: "ticket_unknown" },
  });
  expect((await send(stage.person(), id, "a.png", png)).status).toBe(401);
  const foreign = await person.send("POST", `/api/tickets/${id}/files?name=a.png`, {
    headers: { "sec-fetch-site": "cross-site", "content-type": "text/plain" },
    body: html,
  });
  expect(foreign).toMatchObject({ status: 403, body: { code: "cross_site" } });
  // other calls still take only JSON of up to 64 KiB
  expect((await send(person, `${id}/messages?x=`, "a", html)).status).toBe(415);
  expect((await person.post(`/api/tickets/${id}/messages`, { text: "x".repeat(70_000) })).status).toBe(413);
  await person.post(`/api/tickets/${id}/close`);
  expect(await send(person, id, "a.png", png)).toMatchObject({
    status: 409,
    body: { code: "ticket_closed" },
  });
  expect(await filesOf(person, id)).toHaveLength(2);
});

test("a file whose upload ends after its ticket was closed is still posted in the thread", async () => {
  await using stage = await openDesk();
  const { person, id } = await asker(stage);
  const { thread_id: thread, account_id: accountId } = await waitForTicket(stage, ({ card_id }) =>
    Boolean(card_id),
  );
  const slow: BuildStore = {
    ...stage.shop.files,
    async keep(address, bytes) {
      await person.post(`/api/tickets/${id}/close`);
      await waitForTicket(stage, ({ farewell_id }) => Boolean(farewell_id));
      await stage.shop.files.keep(address, bytes);
    },
  };
  const account = { id: String(accountId), username: "ada" };
  const ticket = await expectTicket(stage.ctx, id);
  await uploadFile({ ctx: stage.ctx, files: slow }, ticket, { account, name: "late.png", bytes: png });
  await waitForText(stage, String(thread), "late.png");
});

test("a person sends at most 64 MiB of files a day, and a file over that leaves nothing behind", async () => {
  await using stage = await openStage();
  const { person, id } = await asker(stage);
  const whole = (byte: number) => send(person, id, `${byte}.bin`, Buffer.alloc(8 * mebibyte, byte));
  for (const byte of [1, 2, 3, 4, 5, 6, 7, 8]) expect((await whole(byte)).status).toBe(200);
  expect(await whole(9)).toMatchObject({ status: 409, body: { code: "ticket_files_full" } });
  expect(await filesOf(person, id)).toHaveLength(8);
  expect(await rowsOf(stage)).toMatchObject([{ state: "open" }]);
});

test("an upload that a kill cut off is forgotten", async () => {
  await using stage = await openStage();
  const { person, id } = await asker(stage);
  expect((await send(person, id, "a.png", png)).status).toBe(200);
  await stage.ctx.store.client.execute("UPDATE ticket_files SET state = 'copying'");
  stage.advance(5 * minute);
  await stage.shop.periodicJobs.run();
  expect(await filesOf(person, id)).toMatchObject([{ state: "waiting" }]);
  stage.advance(6 * minute);
  await stage.shop.periodicJobs.run();
  expect(await filesOf(person, id)).toEqual([]);
});
