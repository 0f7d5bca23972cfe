import { expect, test } from "bun:test";
import { member, prove } from "./people";
import { openStage } from "../../support/shop/stage";

const form = {
  username: "ada",
  email: "ada@example.com",
  password: "a long enough phrase",
  timezone: "Europe/Berlin",
};

test("a registration learns of every field that breaks its rule at once", async () => {
  await using stage = await openStage();
  const wrong = { ...form, username: "a b", email: "ada", password: "short", key: "WISP" };
  const { status, body } = await stage.person().post("/api/auth/register", wrong);
  expect(status).toBe(400);
  expect(body).toMatchObject({
    code: "invalid_field",
    field: "username",
    data: "username must be 3 to 32 letters, digits, underscores, dots or dashes.",
    fields: {
      username: "username must be 3 to 32 letters, digits, underscores, dots or dashes.",
      email: "email must be an email address.",
      password: "password must have 8 to 128 characters.",
    },
  });
});

test("with a good key it learns of a taken name, a taken email and a common password at once; with a bad one of the key alone", async () => {
  await using stage = await openStage();
  await member(stage, "ada");
  await prove(stage, "ada");
  const taken = { ...form, password: "password123" };
  const good = await stage.person().post("/api/auth/register", { ...taken, key: await stage.handOut() });
  expect(good.status).toBe(409);
  expect(good.body).toMatchObject({
    code: "username_taken",
    field: "username",
    fields: {
      username: "That username is already taken.",
      email: "An account with that email already exists.",
      password: "That password is too common. Please choose another.",
    },
  });
  const bad = await stage.person().post("/api/auth/register", { ...taken, key: "WISP-0000" });
  expect(bad.body.field).toBe("key");
  expect(bad.body.fields).toBeUndefined();
});
