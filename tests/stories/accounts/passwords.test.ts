import { expect, test } from "bun:test";
import { openStage, type Stage } from "../../support/shop/stage";
import { minute } from "@/contract/vocabulary/time";
import { askForCode, login, mailedCode, member } from "./people";

const composed = "Zwölf Bären über é";
const decomposed = composed.normalize("NFD");
const wide = "Ｚｗölf Bären\u00a0über é";

const register = async (stage: Stage, username: string, typed: string) => {
  const key = await stage.handOut();
  const body = { username, email: `${username}@example.com`, password: typed, key, timezone: "UTC" };
  return { body, answer: await stage.person().post("/api/auth/register", body) };
};

test("a password is the same in every spelling of its letters, wherever it is typed", async () => {
  await using stage = await openStage();
  for (const [at, [first, second]] of [
    [decomposed, composed],
    [composed, decomposed],
    [wide, composed],
  ].entries()) {
    const name = `pia${at}`;
    const { body, answer } = await register(stage, name, first ?? "");
    expect(answer.status).toBe(200);
    // the same registration again, typed elsewhere
    const again = await stage.person().post("/api/auth/register", { ...body, password: second });
    expect(again.status).toBe(200);
    const person = stage.person();
    expect((await login(person, name, { password: second })).status).toBe(200);
    expect((await person.post("/api/user/reauthenticate", { password: first })).status).toBe(200);
    const same = await person.post("/api/user/password/reset", {
      old_password: first,
      new_password: second,
    });
    expect(same.body).toMatchObject({ status: 400, code: "password_unchanged" });
    const next = { old_password: second, new_password: `${first} 2` };
    expect((await person.post("/api/user/password/reset", next)).status).toBe(200);
    expect((await login(stage.person(), name, { password: `${second} 2` })).status).toBe(200);
    for (const other of [`${second} 2 `, ` ${second} 2`, `${second} 2`.toUpperCase()])
      expect((await login(stage.person(), name, { password: other })).status).toBe(401);
    stage.advance(20 * minute);
  }
});

test("a recovered password is the same in every spelling of its letters", async () => {
  await using stage = await openStage();
  await member(stage, "ada");
  const [person, email] = [stage.person(), "ada@example.com"];
  await askForCode(person, email);
  const code = await mailedCode(stage, email);
  await person.post("/api/user/password/forgot", { email, code });
  const chosen = await person.post("/api/user/password/forgot-reset", { email, code, password: decomposed });
  expect(chosen.status).toBe(200);
  expect((await login(stage.person(), "ada", { password: composed })).status).toBe(200);
});

test("a password has 8 to 128 characters as they are compared, and at most 1,024 bytes as sent", async () => {
  await using stage = await openStage();
  const answers = [];
  for (const typed of [
    "u\u0308".repeat(7),
    "u\u0308".repeat(8),
    "u\u0308".repeat(128),
    "u\u0308".repeat(129),
    // eighteen characters each
    "\ufdfa".repeat(7),
    "\ufdfa".repeat(8),
    "🐻".repeat(128),
    "\u1112\u1161\u11ab".repeat(113),
    "\u1112\u1161\u11ab".repeat(114),
  ]) {
    stage.advance(60 * minute);
    const { answer } = await register(stage, `pia${answers.length}`, typed);
    answers.push([answer.status, answer.body.field]);
  }
  const good = [200, undefined];
  const bad = [400, "password"];
  expect(answers).toEqual([bad, good, good, bad, good, bad, good, good, bad]);
  const long = await login(stage.person(), "pia1", { password: "ü".repeat(513) });
  expect(long.body).toMatchObject({ status: 400, code: "invalid_field", field: "password" });
  expect((await login(stage.person(), "pia1", { password: "ü".repeat(512) })).status).toBe(401);
});

test("a common password is one in wide letters too", async () => {
  await using stage = await openStage();
  const common = await register(stage, "pia", "ｐａｓｓｗｏｒｄ１");
  expect(common.answer.body).toMatchObject({ status: 400, code: "password_common" });
  const personal = await register(stage, "pia", "ＰＩＡ@example.com");
  expect(personal.answer.body).toMatchObject({ status: 400, code: "password_personal" });
});
