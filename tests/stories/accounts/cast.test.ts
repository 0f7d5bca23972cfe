import { expect, test } from "bun:test";
import { cast, playCast, theosSecret } from "@/demo/cast";
import { openStage } from "../../support/shop/stage";
import { codeAt, me } from "./people";

test("every demo customer can sign in as printed at startup, theo with his authenticator", async () => {
  await using stage = await openStage();
  const { ctx, checkout } = stage.shop;
  await playCast({ ctx, checkout, publicUrl: stage.url, stripeUrl: new URL(stage.stripe.url) });
  for (const { username, password } of Object.values(cast)) {
    const person = stage.person();
    const security_code = username === "theo" ? codeAt(stage, theosSecret) : "";
    const answer = await person.post("/api/auth/login", { username, password, security_code });
    expect([username, answer.status]).toEqual([username, 200]);
    expect((await me(person)).data).toMatchObject({ username, mfa: username === "theo" });
  }
  const { username, password } = cast.theo;
  const without = await stage.person().post("/api/auth/login", { username, password });
  expect(without.body.code).toBe("mfa_required");
});
