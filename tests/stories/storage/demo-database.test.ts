import { expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { keyValues } from "@/core/database/schema";
import { beginDemo, expectReal } from "@/domain/system/simulated";
import { operate, operateWith, settingsOf } from "../../support/operator/run-operator";
import { atDesk } from "../../support/people/desk";
import { openStage } from "../../support/shop/stage";

const sentence = "This database is a demo's, whose sales nobody has paid";
const why = ["--reason", "a story"];

test("a demo of any release is known by what it noted, and never taken for a real shop", async () => {
  await using stage = await openStage();
  const { db } = stage.ctx.store;
  await expectReal(stage.ctx);
  for (const name of ["stripe_simulated", "demo_filled", "demo_year", "demo_webhooks"]) {
    await db.insert(keyValues).values({ name, value: "x" });
    expect(expectReal(stage.ctx)).rejects.toThrow(sentence);
    await db.delete(keyValues).where(eq(keyValues.name, name));
  }
  await db.insert(keyValues).values({ name: "demo_filled", value: "x" });
  const simulated = settingsOf(stage);
  expect((await operate(stage, "offers", "list")).code).toBe(0);
  const real = await operateWith({ ...simulated, STRIPE_API_URL: "" }, "offers", "list");
  expect(real).toMatchObject({ code: 1, err: expect.stringContaining(sentence) });
  await db.insert(keyValues).values({ name: "moved", value: JSON.stringify({ to: "x", at: "x" }) });
  await stage.restart({
    async meanwhile() {
      const taken = await operateWith(simulated, "take-over", ...why);
      expect(taken).toMatchObject({ code: 1, err: expect.stringContaining(sentence) });
      using file = new Database(join(stage.dataDir, "shop.db"));
      file.run("DELETE FROM installation WHERE name = 'moved'");
    },
  });
});

test("a demo starts in no database that has an owner, but in its own", async () => {
  await using stage = await openStage();
  await atDesk(stage, "olga", "owner");
  for (const stripe of [true, false]) {
    expect(beginDemo(stage.ctx, { stripe })).rejects.toThrow("This database is a real shop's");
  }
  await expectReal(stage.ctx);
  await stage.ctx.store.db.insert(keyValues).values({ name: "demo_filled", value: "x" });
  await beginDemo(stage.ctx, { stripe: true });
});
