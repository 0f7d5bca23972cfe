import { expect, test } from "bun:test";
import { copyFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { minute } from "@/contract/time";
import { fileClient } from "@/core/file-client";
import { eventually, openStage, type Stage } from "../../support/shop/stage";

/** An email that the mail server has received and does not answer. */
async function hangingEmail(stage: Stage, delayMs: number) {
  stage.mail.setFaults({ mode: "slow", delayMs, times: 1 });
  await stage.buy("ada@example.com");
  const leased = "SELECT count(*) AS n FROM outbox WHERE topic = 'mail.receipt' AND lease IS NOT NULL";
  await eventually(
    async () => (await stage.ctx.store.client.execute(leased)).rows[0]?.["n"],
    (count) => count === 1,
  );
}

async function secondsOf(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await act();
  return (performance.now() - began) / 1000;
}

test("a hanging mail server delays a stop by four seconds, and the email is sent after the next start", async () => {
  await using stage = await openStage();
  await hangingEmail(stage, 15_000);
  let delivered = -1;
  const meanwhile = async () => void (delivered = stage.mail.messages("ada@example.com").length);
  const seconds = await secondsOf(() => stage.restart({ meanwhile }));
  console.log(`end with a mail server that hangs: ${seconds.toFixed(1)} s`);
  expect(seconds).toBeGreaterThan(2.9);
  // the server keeps the email when it answers, so the stop did not wait for that
  expect(delivered).toBe(0);
  // the server may have kept the one that it never confirmed
  await eventually(
    () => stage.mail.messages("ada@example.com"),
    (all) => all.length === 2,
  );
  const ids = stage.mail.messages("ada@example.com").map(({ messageId }) => messageId);
  expect(new Set(ids).size).toBe(1);
  await stage.shop.worker.drain();
  const left = await stage.ctx.store.client.execute("SELECT key FROM outbox");
  expect(left.rows).toEqual([]);
});

test("with a request that never ends and a hanging mail server, a stop takes eleven seconds", async () => {
  await using stage = await openStage();
  await hangingEmail(stage, minute);
  const socket = connect(Number(stage.url.port), "127.0.0.1");
  const cut = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  const before = stage.lines.length;
  socket.write(
    "POST /api/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{",
  );
  // it has been accepted once a later one is answered
  await stage.person().get("/api/health");
  const seconds = await secondsOf(() => stage.restart());
  await cut;
  console.log(`end with a request that never ends: ${seconds.toFixed(1)} s`);
  expect(seconds).toBeGreaterThan(9.9);
  // less than the email's minute; a busy machine takes a while to start again
  expect(seconds).toBeLessThan(50);
  expect(stage.lines.slice(before).filter((line) => line.includes('"error"'))).toEqual([]);
  expect((await stage.person().get("/api/health")).status).toBe(200);
});

test("after a stop, the database file alone holds everything", async () => {
  await using stage = await openStage();
  await stage.buy("ada@example.com");
  const copy = join(stage.dataDir, "copy.db");
  await stage.restart({ meanwhile: () => copyFile(join(stage.dataDir, "shop.db"), copy) });
  const client = fileClient(copy, 0);
  const { rows } = await client.execute("SELECT email FROM payments");
  client.close();
  expect(rows.map(({ email }) => email)).toEqual(["ada@example.com"]);
});
