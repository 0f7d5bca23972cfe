import { expect, test } from "bun:test";
import { openStage } from "../../support/shop/stage";
import { member } from "./people";

for (const [setting, count] of [
  ["", 2],
  ["off", null],
] as const) {
  test(`customers are told ${count ?? "no number"} of accounts with TOTAL_USERS=${setting}`, async () => {
    await using stage = await openStage({ env: { TOTAL_USERS: setting } });
    const ada = await member(stage, "ada");
    await member(stage, "bea");
    expect((await ada.get("/api/user/dashboard")).body.data).toEqual({ user_count: count });
  });
}
