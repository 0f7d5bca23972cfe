import { expect, test } from "bun:test";
import { playCast } from "@/demo/cast";
import { cast } from "@/demo/members";
import { sellStudio } from "@/demo/studio";
import { openStage } from "../../support/shop/stage";
import { codeAt, me } from "./people";

test("everybody of the demo can sign in as printed at startup, and its staff enter the desk", async () => {
  await using stage = await openStage();
  const { ctx, checkout } = stage.shop;
  await sellStudio(ctx, { discordUrl: null });
  await playCast({ ctx, checkout, publicUrl: stage.url, stripeUrl: new URL(stage.stripe.url) });
  for (const who of Object.values(cast)) {
    const { username, password } = who;
    const person = stage.person();
    const security_code = "secret" in who ? codeAt(stage, who.secret) : "";
    const answer = await person.post("/api/auth/login", { username, password, security_code });
    expect([username, answer.status]).toEqual([username, 200]);
    expect((await me(person)).data).toMatchObject({
      username,
      mfa: "secret" in who,
      staff: "role" in who ? who.role : null,
    });
    // the sign-in used the current code, and the next one is accepted already
    const entry = { security_code: "secret" in who ? codeAt(stage, who.secret, 1) : "000000" };
    const entered = await person.post("/api/desk/enter", entry);
    expect([username, entered.status]).toEqual([username, "role" in who ? 200 : 403]);
  }
  const { username, password } = cast.theo;
  const without = await stage.person().post("/api/auth/login", { username, password });
  expect(without.body.code).toBe("mfa_required");
});
