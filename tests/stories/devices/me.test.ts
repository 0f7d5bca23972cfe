import { expect, test } from "bun:test";
import { day } from "@/contract/vocabulary/time";
import { openStage } from "../../support/shop/stage";
import { customerWith, give } from "./computers";

test("an application is told of the licence with most seats, of these the one that lasts longest, or of none", async () => {
  await using stage = await openStage();
  const { person, app } = await customerWith(stage, 3, { days: 10 });
  const redeem = async (days: number | null, places: number) => {
    const key = await stage.handOut(days);
    await give(stage, key, places);
    expect((await person.post("/api/licenses/redeem", { key, timezone: "UTC" })).status).toBe(200);
  };
  const me = async () => {
    const answer = await stage.person().get("/api/app/v1/me", { authorization: `Bearer ${app.token}` });
    expect(answer.body).toMatchObject({ status: 200, code: "VALID" });
    return answer.body.data;
  };
  const begun = stage.ctx.now().getTime();
  const ended = (at: string | null) => at && Math.round((Date.parse(at) - begun) / day);
  const told = async () => {
    const { username, type, expires_at: at, devices } = await me();
    return [username, type, ended(at), devices.used, devices.places];
  };
  expect(await told()).toEqual(["ada", "premium", 10, 0, 3]);
  await app.activate("study");
  await redeem(20, 3);
  expect(await told()).toEqual(["ada", "premium", 30, 1, 3]);
  await redeem(null, 1);
  expect(await told()).toEqual(["ada", "premium", 30, 1, 3]);
  stage.advance(31 * day);
  expect(await told()).toEqual(["ada", "premium", null, 1, 1]);
  await stage.ctx.store.client.execute("UPDATE licences SET suspended_at = 1");
  expect(await told()).toEqual(["ada", null, null, 1, 0]);
});
