import { expect, test } from "bun:test";
import { atDesk } from "../../support/people/desk";
import { openStage } from "../../support/shop/stage";
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
