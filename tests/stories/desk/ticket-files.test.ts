import { expect, test } from "bun:test";
import { minute } from "@/contract/vocabulary/time";
import { accountNamed } from "@/domain/customers/find";
import type { BuildStore } from "@/domain/releases/store";
import { expectTicket } from "@/domain/tickets/reading/queries";
import { uploadFile } from "@/domain/tickets/writing/upload";
import { atDesk } from "../../support/people/desk";
import { eventually, openStage } from "../../support/shop/stage";
import { member } from "../accounts/people";

test("staff read the files of any ticket, inline only what is a picture, and nobody else's under another ticket", async () => {
  await using stage = await openStage();
  const ada = await member(stage, "ada");
  const open = async (): Promise<string> =>
    (await ada.post("/api/tickets", { topic: "other", question: "Look at this" })).body.data.id;
  const [first, second] = [await open(), await open()];
  const sent = await ada.send("POST", `/api/tickets/${first}/files?name=%3Cb%3E.txt`, {
    headers: { "content-type": "text/plain" },
    body: "line one",
  });
  expect(sent.status).toBe(200);
  const viewer = await atDesk(stage, "vera", "viewer");
  const { messages } = (await viewer.get(`tickets/${first}`)).body.data;
  const [file] = messages.flatMap((message: { files: { id: string }[] }) => message.files);
  const read = await viewer.get(`tickets/${first}/files/${file.id}`);
  expect(read).toMatchObject({ status: 200, body: "line one" });
  expect(read.headers.get("content-disposition")).toBe("attachment; filename*=UTF-8''_b_.txt");
  expect((await viewer.get(`tickets/${second}/files/${file.id}`)).status).toBe(404);
  expect((await viewer.get(`tickets/${first}/files/nothing`)).status).toBe(404);
});

test("staff answer with a file, which the customer reads, and an open ticket takes it from them alone", async () => {
  await using stage = await openStage();
  const ada = await member(stage, "ada");
  const id: string = (await ada.post("/api/tickets", { topic: "other", question: "How?" })).body.data.id;
  const sam = await atDesk(stage, "sam", "support");
  const vera = await atDesk(stage, "vera", "viewer");
  const send = (who: typeof sam, bytes: Uint8Array) =>
    who.person.send("PUT", `/api/desk/tickets/${id}/files?name=shot.png`, {
      headers: { "content-type": "application/octet-stream" },
      body: Buffer.from(bytes),
    });
  const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
  expect((await send(sam, png)).body.data).toMatchObject({
    waiting_for: "customer",
    last: { author: "staff", text: "shot.png" },
  });
  const { messages, unread } = (await ada.get(`/api/tickets/${id}`)).body.data;
  expect(unread).toBe(true);
  const { files, ...answer } = messages.at(-1);
  expect(answer).toMatchObject({ author: "staff", name: "sam" });
  expect(files).toMatchObject([{ name: "shot.png", state: "kept", picture: true }]);
  const read = await ada.send("GET", `/api/tickets/${id}/files/${files[0].id}`);
  expect(read.headers.get("content-type")).toBe("image/png");

  expect((await send(vera, png)).status).toBe(403);
  expect((await send(sam, Buffer.alloc(0))).body).toMatchObject({ status: 400, field: "file" });
  expect((await send(sam, Buffer.alloc(8 * 1024 * 1024 + 1))).status).toBe(413);
  await sam.post(`tickets/${id}/close`);
  expect((await send(sam, png)).body.code).toBe("ticket_closed");
});

test("a file that was not kept is no answer and no message: the ticket waits for whom it did, since when it did", async () => {
  await using stage = await openStage();
  const ada = await member(stage, "ada");
  const sam = await atDesk(stage, "sam", "support");
  const id: string = (await ada.post("/api/tickets", { topic: "other", question: "How?" })).body.data.id;
  const facts = async () => {
    const { waitingFor, waitingSince, answeredAt, firstAnswerAt, mailDueAt } = await expectTicket(
      stage.ctx,
      id,
    );
    return { waitingFor, waitingSince, answeredAt, firstAnswerAt, mailDueAt };
  };
  const upload = async (name: string, keep: BuildStore["keep"], isStaff: boolean) => {
    const { id: accountId, username } = await accountNamed(stage.ctx, name);
    const staff = {
      kind: "staff",
      via: "desk",
      accountId,
      roles: ["support"],
      confirmedAt: new Date(),
    } as const;
    return uploadFile(
      { ctx: stage.ctx, files: { ...stage.shop.files, keep } },
      await expectTicket(stage.ctx, id),
      {
        account: { id: accountId, username },
        ...(isStaff ? { staff } : {}),
        name: "shot.png",
        bytes: Buffer.from("a picture"),
      },
    );
  };
  const full = () => Promise.reject(new Error("the disk is full"));
  const asked = await facts();
  stage.advance(minute);
  expect(upload("sam", full, true)).rejects.toMatchObject({ code: "unavailable" });
  await eventually(
    () => stage.count("ticket_files"),
    (count) => count === 0,
  );
  expect(await facts()).toEqual(asked);
  // a kill
  void upload("sam", () => new Promise(() => {}), true);
  await eventually(
    () => stage.count("ticket_files"),
    (count) => count === 1,
  );
  stage.advance(11 * minute);
  await stage.shop.periodicJobs.run();
  expect(await stage.count("ticket_files")).toBe(0);
  expect(await facts()).toEqual(asked);

  await sam.post(`tickets/${id}/messages`, { text: "Like this." });
  const answered = await facts();
  expect(upload("ada", full, false)).rejects.toMatchObject({ code: "unavailable" });
  await eventually(
    () => stage.count("ticket_files"),
    (count) => count === 0,
  );
  expect(await facts()).toEqual(answered);
});
