import { expect, test } from "bun:test";
import { day } from "@/contract/time";
import { bringEndsUnderRule } from "@/domain/licences/ends-rule";
import { operated } from "../../support/operator/run-operator";
import { buyMonth, sellMonth } from "../../support/shop/sell-month";
import { openStage } from "../../support/shop/stage";

test("the first commit that changes an account's time applies the rule to it, and the doctor names the account", async () => {
  await using stage = await openStage();
  const ada = stage.person();
  await ada.register(await stage.handOut(30), "ada");
  // as a release before the rule would have left it
  await stage.ctx.store.client.batch(
    [`UPDATE licences SET expires_at = expires_at - ${10 * day}`, "UPDATE accounts SET ends_rule = 0"],
    "write",
  );
  const findings = async () =>
    (await operated(stage, "doctor"))
      .filter(({ what }: { what: string }) => what === "licences")
      .map(({ sentence }: { sentence: string }) => sentence);
  expect(await findings()).toEqual([expect.stringMatching(/^An end will move: ada \(.+ → .+\)\.$/)]);
  const key = await stage.handOut(5);
  const redeemed = await ada.post("/api/licenses/redeem", { key, timezone: "UTC" });
  expect((Date.parse(redeemed.body.data.expiry_date) - stage.ctx.now().getTime()) / day).toBeCloseTo(35, 1);
  expect(await findings()).toEqual([
    expect.stringMatching(/^An end moved in the last 30 days, .+: ada \(.+ → .+\)\.$/),
  ]);
});

test("when the shop goes live, days that staff gave away no longer queue behind those of test mode", async () => {
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
  await bringEndsUnderRule(stage.ctx);
  expect(await ends()).toEqual([5, 30]);
});
