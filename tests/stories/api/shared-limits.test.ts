import { expect, test } from "bun:test";
import { spend, uncount } from "@/core/limits/limits";
import { openStage, type Stage } from "../../support/shop/stage";

/** Another process on the stage's database, with its own memory. */
const processOn = ({ ctx }: Stage) => ({ ...ctx, store: { ...ctx.store, sole: false } });

test("processes count attempts together, and an attempt that another process refunds can be used a second later", async () => {
  await using stage = await openStage();
  const [here, there] = [processOn(stage), processOn(stage)];
  const limit = { name: "test", most: 2, seconds: 60 };
  const counted = [{ limit, who: "ada" }];
  await spend(here, limit, "ada");
  await spend(there, limit, "ada");
  for (const ctx of [here, there]) {
    const refused = await spend(ctx, limit, "ada").catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "rate_limited", detail: { retryAfterSeconds: 60 } });
  }
  await uncount(there, counted);
  stage.advance(1_000);
  await spend(here, limit, "ada");
  const refused = await spend(there, limit, "ada").catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "rate_limited" });
});
