import { expect, test } from "bun:test";
import { minute } from "@/contract/vocabulary/time";
import { openStage } from "../../support/shop/stage";
import { codeAt, login, mailsTo, me, member, password, turnOnMfa, wrongCode } from "./people";

test("two-factor is off until a code from the offered authenticator is entered", async () => {
  await using stage = await openStage();
  const theo = await member(stage, "theo");
  const offered = (await theo.post("/api/user/mfa/reset", { password })).body.data;
  expect(offered.qr).toStartWith("data:image/svg+xml;base64,");
  expect(offered.otpauth).toContain(`secret=${offered.secret}`);
  expect((await me(theo)).data.mfa).toBe(false);

  const wrong = await theo.post("/api/user/mfa/enable", { security_code: wrongCode(stage, offered.secret) });
  expect(wrong.status).toBe(401);
  expect(wrong.body.code).toBe("mfa_code_invalid");

  const enabled = await theo.post("/api/user/mfa/enable", { security_code: codeAt(stage, offered.secret) });
  expect(enabled.status).toBe(200);
  const codes: string[] = enabled.body.data.recovery_codes;
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
  expect((await me(theo)).data.mfa).toBe(true);
  expect((await theo.post("/api/user/mfa/reset", { password })).body).toMatchObject({
    status: 409,
    code: "mfa_already_on",
  });
  const [notice] = await mailsTo(stage, "theo@example.com");
  expect(notice?.subject).toBe("Two-factor sign-in was turned on");
});

test("only the last offered authenticator is valid, for ten minutes", async () => {
  await using stage = await openStage();
  const theo = await member(stage, "theo");
  const first = (await theo.post("/api/user/mfa/reset", { password })).body.data.secret;
  const second = (await theo.post("/api/user/mfa/reset", { password })).body.data.secret;
  const old = await theo.post("/api/user/mfa/enable", { security_code: codeAt(stage, first) });
  expect(old.body.code).toBe("mfa_code_invalid");
  stage.advance(10 * minute);
  const late = await theo.post("/api/user/mfa/enable", { security_code: codeAt(stage, second) });
  expect(late.body.code).toBe("mfa_setup_expired");
});

test("with two-factor on, the right password asks for a code and a wrong one does not reveal that", async () => {
  await using stage = await openStage();
  const { secret } = await turnOnMfa(stage, await member(stage, "theo"));
  const browser = stage.person();
  const sentence = "The provided mobile authentication code is invalid";

  const without = await login(browser, "theo", { security_code: "" });
  expect(without.body).toEqual({
    status: 401,
    data: sentence,
    code: "mfa_required",
    field: "security_code",
  });
  const wrong = await login(browser, "theo", { security_code: wrongCode(stage, secret) });
  expect(wrong.body).toMatchObject({ status: 401, data: sentence, code: "mfa_code_invalid" });
  const stranger = await browser.post("/api/auth/login", {
    username: "theo",
    password: "not this one",
    security_code: codeAt(stage, secret),
  });
  expect(stranger.body).toMatchObject({ status: 401, code: "credentials_invalid" });
  expect(browser.cookies.has("session")).toBe(false);

  const code = codeAt(stage, secret);
  const spaced = `${code.slice(0, 3)} ${code.slice(3)}`;
  expect((await login(browser, "theo@example.com", { security_code: spaced })).status).toBe(200);
  expect((await me(browser)).data.username).toBe("theo");
});

test("codes of adjacent steps are accepted, older and later ones are not", async () => {
  await using stage = await openStage();
  const theo = await member(stage, "theo");
  const { secret } = await turnOnMfa(stage, theo);
  for (const [steps, status] of [
    [-2, 401],
    [2, 401],
    [-1, 200],
    [0, 200],
    [1, 200],
  ] as const) {
    const answer = await login(stage.person(), "theo", { security_code: codeAt(stage, secret, steps) });
    expect([steps, answer.status]).toEqual([steps, status]);
  }
});

test("a used time step is refused, and so are those before it, without counting towards the lock", async () => {
  await using stage = await openStage();
  const { secret } = await turnOnMfa(stage, await member(stage, "theo"));
  const code = codeAt(stage, secret);
  expect((await login(stage.person(), "theo", { security_code: code })).status).toBe(200);
  for (let time = 0; time < 6; time += 1) {
    const again = await login(stage.person(), "theo", { security_code: code });
    expect(again.body.code).toBe("mfa_code_invalid");
  }
  const before = await login(stage.person(), "theo", { security_code: codeAt(stage, secret, -1) });
  expect(before.body.code).toBe("mfa_code_invalid");
  stage.advance(30_000);
  expect((await login(stage.person(), "theo", { security_code: codeAt(stage, secret) })).status).toBe(200);
});

test("five wrong codes lock two-factor for fifteen minutes, for right ones and recovery codes too", async () => {
  await using stage = await openStage();
  const theo = await member(stage, "theo");
  const { secret, recoveryCodes } = await turnOnMfa(stage, theo);
  for (let time = 0; time < 5; time += 1) {
    const wrong = await login(stage.person(), "theo", { security_code: wrongCode(stage, secret) });
    expect(wrong.body.code).toBe("mfa_code_invalid");
  }
  stage.advance(minute);
  for (const security_code of [codeAt(stage, secret), recoveryCodes[0]]) {
    const locked = await login(stage.person(), "theo", { security_code });
    expect(locked.body).toMatchObject({
      status: 429,
      code: "rate_limited",
      data: expect.stringMatching(/^Too many requests, please try again in 8[34]\d seconds$/),
    });
    expect(Number(locked.headers.get("retry-after"))).toBeGreaterThan(800);
  }
  stage.advance(14 * minute);
  expect((await login(stage.person(), "theo", { security_code: codeAt(stage, secret) })).status).toBe(200);
  const events = (await theo.get("/api/user/security-events")).body.data;
  expect(events.map(({ code }: { code: string }) => code)).toContain("mfa.locked");
});

test("a right code resets the count of wrong ones", async () => {
  await using stage = await openStage();
  const { secret } = await turnOnMfa(stage, await member(stage, "theo"));
  for (let round = 0; round < 2; round += 1) {
    for (let time = 0; time < 4; time += 1) {
      await login(stage.person(), "theo", { security_code: wrongCode(stage, secret) });
    }
    expect((await login(stage.person(), "theo", { security_code: codeAt(stage, secret) })).status).toBe(200);
    stage.advance(minute);
  }
});

test("a recovery code works once, however it is typed, and its use is announced by mail", async () => {
  await using stage = await openStage();
  const { recoveryCodes } = await turnOnMfa(stage, await member(stage, "theo"));
  const [code = ""] = recoveryCodes;
  const typed = ` ${code.toLowerCase().replace("-", " ").replaceAll("0", "o").replaceAll("1", "l")} `;
  expect((await login(stage.person(), "theo", { security_code: typed })).status).toBe(200);
  const again = await login(stage.person(), "theo", { security_code: code });
  expect(again.body.code).toBe("mfa_code_invalid");
  const mails = await mailsTo(stage, "theo@example.com");
  const notice = mails.find(({ subject }) => subject === "A recovery code was used");
  expect(notice?.text).toContain("Recovery codes left: 9");
  expect(notice?.text).toContain(`Check your sessions:\n${stage.url}dashboard/settings#security\n`);
});

test("two-factor is removed with a code or a recovery code, and its recovery codes with it", async () => {
  await using stage = await openStage();
  const theo = await member(stage, "theo");
  const first = await turnOnMfa(stage, theo);
  const wrong = await theo.post("/api/user/mfa/remove", { security_code: wrongCode(stage, first.secret) });
  expect(wrong.body).toMatchObject({ status: 401, code: "mfa_code_invalid" });
  const removed = await theo.post("/api/user/mfa/remove", { security_code: codeAt(stage, first.secret) });
  expect(removed.body).toEqual({ status: 200, data: "Removed mobile authenticaiton" });
  expect((await me(theo)).data.mfa).toBe(false);
  expect((await login(stage.person(), "theo")).status).toBe(200);
  expect((await theo.post("/api/user/mfa/remove", { security_code: "123456" })).body.code).toBe("mfa_off");

  await mailsTo(stage, "theo@example.com");
  stage.advance(11 * minute);
  const second = await turnOnMfa(stage, theo);
  const old = await theo.post("/api/user/mfa/remove", { security_code: first.recoveryCodes[0] });
  expect(old.body.code).toBe("mfa_code_invalid");
  const recovery = await theo.post("/api/user/mfa/remove", { security_code: second.recoveryCodes[0] });
  expect(recovery.status).toBe(200);
  const subjects = (await mailsTo(stage, "theo@example.com")).map(({ subject }) => subject);
  expect(subjects.filter((subject) => subject === "Two-factor sign-in was turned off")).toHaveLength(2);
});

test("secrets and recovery codes are never stored or logged in plain text, nor returned needlessly", async () => {
  await using stage = await openStage();
  const theo = await member(stage, "theo");
  const { secret, recoveryCodes } = await turnOnMfa(stage, theo);
  await login(stage.person(), "theo", { security_code: recoveryCodes[0] });
  const { api_key } = (await me(theo)).data;
  const exported = JSON.stringify((await theo.get("/api/user/export")).body);
  await stage.ctx.store.client.execute("PRAGMA wal_checkpoint(TRUNCATE)");
  const stored = await Bun.file(`${stage.dataDir}/shop.db`).text();
  expect(stored).toContain("theo@example.com");
  for (const canary of [secret, ...recoveryCodes, api_key, password]) {
    expect(stored).not.toContain(canary);
    expect(stage.lines.join("\n")).not.toContain(canary);
    expect(exported).not.toContain(canary);
  }
});

test("a stolen session can't turn two-factor on or off without the password", async () => {
  await using stage = await openStage();
  const theo = await member(stage, "theo");
  stage.advance(15 * minute);
  const thief = stage.person();
  thief.cookies.set("session", theo.cookies.get("session") ?? "");
  for (const body of [undefined, {}])
    expect((await thief.post("/api/user/mfa/reset", body)).body).toEqual({
      status: 403,
      data: "Please enter your password again.",
      code: "reauthenticate",
    });
  const guessed = await thief.post("/api/user/reauthenticate", { password: "not this one" });
  expect(guessed.body).toMatchObject({ status: 401, code: "password_wrong", field: "password" });
  expect((await thief.post("/api/user/mfa/reset", { password: "not this one" })).body.code).toBe(
    "password_wrong",
  );

  // when the owner proves the password, the stolen cookie stops working
  expect((await theo.post("/api/user/reauthenticate", { password })).body).toEqual({
    status: 200,
    data: null,
  });
  expect((await thief.post("/api/user/mfa/reset", { password })).body.code).toBe("unauthenticated");
  const { secret, recoveryCodes } = await turnOnMfa(stage, theo);
  expect((await theo.get("/api/user/sessions")).body.data).toHaveLength(1);

  stage.advance(15 * minute);
  const off = (more: object) => theo.post("/api/user/mfa/remove", more);
  expect((await off({ security_code: codeAt(stage, secret) })).body.code).toBe("reauthenticate");
  const wrong = await off({ security_code: codeAt(stage, secret), password: "not this one" });
  expect(wrong.body).toMatchObject({ status: 401, code: "password_wrong", field: "password" });
  expect((await off({ security_code: recoveryCodes[0], password })).status).toBe(200);
});

test("with two-factor on, reauthenticating also takes a code", async () => {
  await using stage = await openStage();
  const theo = await member(stage, "theo");
  const { secret } = await turnOnMfa(stage, theo);
  const prove = (more: object) => theo.post("/api/user/reauthenticate", { password, ...more });
  expect((await prove({})).body).toMatchObject({ status: 401, code: "mfa_required", field: "security_code" });
  const wrong = await prove({ security_code: wrongCode(stage, secret) });
  expect(wrong.body).toMatchObject({ status: 401, code: "mfa_code_invalid" });
  expect((await prove({ security_code: codeAt(stage, secret) })).status).toBe(200);
});

test("reauthenticating has the limits of signing in", async () => {
  await using stage = await openStage();
  const theo = await member(stage, "theo");
  theo.cookies.delete("known");
  const guess = () => theo.post("/api/user/reauthenticate", { password: "not this one" });
  for (let time = 0; time < 5; time += 1) expect((await guess()).status).toBe(401);
  expect((await guess()).body.code).toBe("rate_limited");
  const entering = await theo.post("/api/auth/login", { username: "theo", password });
  expect(entering.body.code).toBe("rate_limited");
});
