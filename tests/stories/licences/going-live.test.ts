import { expect, test } from "bun:test";
import { day } from "@/contract/vocabulary/time";
import { backfillEnds } from "@/domain/licences/changes/backfill-ends";
import { operateWith, settingsOf } from "../../support/operator/run-operator";
import { buyMonth, sellMonth } from "../../support/shop/sell-month";
import { openStage } from "../../support/shop/stage";

test("when the shop goes live, days that staff gave away no longer queue behind those of test mode, and the doctor names the account", async () => {
  await using stage = await openStage();
  await sellMonth(stage);
  const { key } = await buyMonth(stage);
  const ada = stage.person();
  await ada.register(key, "ada");
  await ada.post("/api/licenses/redeem", { key: await stage.handOut(5), timezone: "UTC" });
  const ends = async () =>
    (await ada.get("/api/licenses/me")).body.data.map(({ expiry_date: end }: { expiry_date: string }) =>
      Math.round((Date.parse(end) - Date.now()) / day),
    );
  expect(await ends()).toEqual([35, 30]);
  const liveKey = "sk_live_of_the_shop";
  await stage.atStripe("keys", { key: liveKey });
  await stage.restart({ stripeKey: liveKey });
  const live = { STRIPE_SECRET_KEY: liveKey, STRIPE_PUBLISHABLE_KEY: "pk_live_of_the_shop" };
  const findings = async () =>
    JSON.parse((await operateWith({ ...settingsOf(stage), ...live }, "doctor", "--json")).out)
      .filter(({ sentence }: { sentence: string }) => sentence.startsWith("An end "))
      .map(({ sentence }: { sentence: string }) => sentence);
  expect(await findings()).toEqual([expect.stringMatching(/^An end will move: ada \(.+ → .+\)\.$/)]);
  await backfillEnds(stage.ctx);
  expect(await findings()).toEqual([
    expect.stringMatching(/^An end moved in the last 30 days, .+: ada \(.+ → .+\)\.$/),
  ]);
  expect(await ends()).toEqual([5, 30]);
});
