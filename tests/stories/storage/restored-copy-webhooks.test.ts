/** A restored copy sends no webhooks until it is the shop; then what waited goes out as it would have. */
import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hour, minute } from "@/contract/vocabulary/time";
import { readConfig } from "@/core/settings/config";
import { createLog } from "@/core/log/log";
import { auditLog } from "@/core/database/schema";
import { webhookDeliveries } from "@/domain/schema/webhooks";
import { startShop } from "@/shop";
import { deliverAll, startEndpoint } from "../../support/network/hooked";
import { operateWith, settingsOf } from "../../support/operator/run-operator";
import { backUpStage } from "../../support/shop/back-up";
import { openStage } from "../../support/shop/stage";

const scratch = await mkdtemp(join(tmpdir(), "latchkey-copies-"));
afterAll(() => rm(scratch, { recursive: true, force: true }));
const why = ["--reason", "a drill"];

test("a restored copy sends no webhook until it takes over, then those that waited with the same ids, and numbers continue", async () => {
  await using stage = await openStage({ env: { WEBHOOKS_ALLOW_PRIVATE: "true" } });
  await using receiver = await startEndpoint(stage);
  receiver.answer(new Response(null, { status: 500 }));
  await stage.buy();
  await deliverAll(stage);
  // known to the log, but not yet read
  await stage.handOut(30);
  const waiting = receiver.arrived.map(({ id, body }) => ({ id, body }));
  expect(waiting).toHaveLength(2);
  const folder = join(scratch, "backups");
  const name = await backUpStage(stage, folder);
  // after the backup the shop goes on for a while, and its numbers with it
  receiver.answer(new Response(null));
  await stage.handOut(30);
  stage.advance(minute);
  await deliverAll(stage);
  const lastNumber = Math.max(...receiver.arrived.map(({ data }) => data.sequence));
  const stoppedAt = `${new Date().toISOString().slice(0, 19)}Z`;
  await stage.shop.stop({ noticeMilliseconds: 0 });
  const sent = receiver.arrived.length;

  const env = {
    ...settingsOf(stage),
    WEBHOOKS_ALLOW_PRIVATE: "true",
    DATA_DIR: await mkdtemp(join(scratch, "machine-")),
  };
  const run = (...args: string[]) => operateWith(env, ...args);
  expect(await run("restore", join(folder, name), "--no-reconcile", ...why)).toMatchObject({ code: 0 });
  const start = async () => {
    const { stripe, mail, discord, ...settings } = readConfig({ ...env, PORT: "0" });
    if (!stripe || !mail || !discord) throw new Error("the stage names all three");
    const now = () => new Date(Date.now() + hour);
    return startShop({ ...settings, stripe, mail, discord }, { log: createLog("error"), now });
  };
  const copy = await start();
  expect(copy.webhooksOut).toBeNull();
  await copy.periodicJobs.run();
  expect(await copy.ctx.store.db.$count(webhookDeliveries)).toBe(2);
  await copy.stop({ noticeMilliseconds: 0 });
  expect(receiver.arrived).toHaveLength(sent);

  const taken = await run("take-over", "--stopped-at", stoppedAt, ...why);
  expect(taken).toMatchObject({ code: 0, err: "" });
  const shop = await start();
  try {
    await shop.webhooksOut?.run();
    await shop.webhooksOut?.idle();
    const after = receiver.arrived.slice(sent);
    expect(after.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["order.paid", "license.issued", "license.issued"]),
    );
    const again = after.map(({ id, body }) => ({ id, body }));
    expect(again).toEqual(expect.arrayContaining(waiting));
    // the old shop has sent it too: under the same id
    expect(receiver.arrived.slice(0, sent).map(({ id }) => id)).toEqual(
      expect.arrayContaining(after.map(({ id }) => id)),
    );
    const numbers = await shop.ctx.store.db.select({ number: auditLog.sequence }).from(auditLog);
    expect(Math.max(...numbers.map(({ number }) => number ?? 0))).toBeGreaterThan(lastNumber);
  } finally {
    await shop.stop({ noticeMilliseconds: 0 });
  }
});
