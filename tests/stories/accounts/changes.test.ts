import { expect, test } from "bun:test";
import { utcDay } from "@/contract/dates";
import { brand } from "@/brand/brand";
import { day, hour, minute } from "@/contract/time";
import { accounts } from "@/domain/schema/accounts";
import { hashAtFullCost } from "../../support/shop/password-cost";
import { openStage, type Stage } from "../../support/shop/stage";
import {
  askForCode,
  bindDevice,
  codeAt,
  login,
  mailedCode,
  mailsTo,
  me,
  member,
  password,
  turnOnMfa,
  wrongCode,
} from "./people";

const fresh = "another long phrase";

/** The token of the undo link that was mailed to an address. */
async function undoTokenIn(stage: Stage, to: string): Promise<string> {
  const mails = await mailsTo(stage, to);
  const text = mails.find(({ subject }) => subject === "Your email address was changed")?.text ?? "";
  const token = /\/undo-email#(\S+)/.exec(text)?.[1];
  if (!token) throw new Error(`no link in ${text}`);
  return token;
}

test("a new password ends every other session and is announced by mail", async () => {
  await using stage = await openStage();
  const pia = await member(stage, "pia");
  const other = stage.person();
  await login(other, "pia");
  const changed = await pia.post("/api/user/password/reset", { old_password: password, new_password: fresh });
  expect(changed.body).toEqual({ status: 200, data: "Reset account password successfully" });
  expect((await me(pia)).status).toBe(200);
  expect((await me(other)).code).toBe("unauthenticated");
  expect((await login(stage.person(), "pia")).body.code).toBe("credentials_invalid");
  expect((await login(stage.person(), "pia", { password: fresh })).status).toBe(200);
  const [notice] = await mailsTo(stage, "pia@example.com");
  expect(notice?.subject).toBe("Your password was changed");
});

test("a new password needs the old one, and must be different, long enough and uncommon", async () => {
  await using stage = await openStage();
  const pia = await member(stage, "pia");
  const change = async (old_password: string, new_password: string) => {
    stage.advance(3 * minute);
    const { code, field, status } = (
      await pia.post("/api/user/password/reset", { old_password, new_password })
    ).body;
    return [status, code, field];
  };
  expect(await change("not this one", fresh)).toEqual([401, "password_wrong", "old_password"]);
  expect(await change(password, password)).toEqual([400, "password_unchanged", "new_password"]);
  expect(await change(password, "1234567")).toEqual([400, "invalid_field", "new_password"]);
  expect(await change(password, "password1")).toEqual([400, "password_common", "new_password"]);
  for (const word of [brand.product, `${brand.shortName}-2026!`, `1${brand.keyPrefix}_12345`])
    expect(await change(password, word)).toEqual([400, "password_common", "new_password"]);
  expect(await change(password, "PIA@example.com")).toEqual([400, "password_personal", "new_password"]);
  expect(await change(password, fresh)).toEqual([200, undefined, undefined]);
});

test("a password is used as typed, may be long and contain any characters, is stored with argon2id, and never expires", async () => {
  using _ = hashAtFullCost();
  await using stage = await openStage();
  const pia = await member(stage, "pia");
  const typed = [" Zwölf Bären 🐻 schlafen ", "aaaaaaaaaaaaaaaaaaaaaaab", `${"x".repeat(126)}Yz`];
  let before = password;
  for (const now of typed) {
    stage.advance(3 * minute);
    const changed = await pia.post("/api/user/password/reset", { old_password: before, new_password: now });
    expect([now, changed.status]).toEqual([now, 200]);
    before = now;
    const enter = (as: string) => login(stage.person(), "pia", { password: as });
    expect((await enter(now)).status).toBe(200);
    for (const other of [now.trim(), now.toUpperCase(), now.slice(0, -1), `${now} `].filter(
      (one) => one !== now,
    ))
      expect([other, (await enter(other)).body.code]).toEqual([other, "credentials_invalid"]);
  }
  const [row] = await stage.ctx.store.db.select().from(accounts);
  expect(row?.passwordHash).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
  stage.advance(1000 * day);
  expect((await login(stage.person(), "pia", { password: before })).status).toBe(200);
});

test("with two-factor on, changing the password or email and deleting the account need a code as well", async () => {
  await using stage = await openStage();
  const theo = await member(stage, "theo");
  const { secret, recoveryCodes } = await turnOnMfa(stage, theo);
  for (const [path, body] of [
    ["/api/user/password/reset", { old_password: password, new_password: fresh }],
    ["/api/user/email/reset", { email: "new@example.com", password }],
    ["/api/user/delete", { password }],
  ] as const) {
    expect((await theo.post(path, body)).body.code).toBe("mfa_required");
    const wrong = await theo.post(path, { ...body, security_code: wrongCode(stage, secret) });
    expect(wrong.body).toMatchObject({ status: 401, code: "mfa_code_invalid", field: "security_code" });
  }
  const email = await theo.post("/api/user/email/reset", {
    email: "new@example.com",
    password,
    security_code: codeAt(stage, secret),
  });
  expect(email.body).toEqual({ status: 200, data: "Updated user email to new@example.com" });
  const withRecoveryCode = await theo.post("/api/user/password/reset", {
    old_password: password,
    new_password: fresh,
    security_code: recoveryCodes[3],
  });
  expect(withRecoveryCode.status).toBe(200);
});

test("a code is used up only by the action it allowed", async () => {
  await using stage = await openStage();
  const theo = await member(stage, "theo");
  const { secret } = await turnOnMfa(stage, theo);
  await member(stage, "eve");
  const change = (email: string, steps = 0) =>
    theo.post("/api/user/email/reset", { email, password, security_code: codeAt(stage, secret, steps) });
  expect((await change("eve@example.com")).body.code).toBe("email_taken");
  expect((await change("new@example.com")).status).toBe(200);
  expect((await change("newer@example.com")).body.code).toBe("mfa_code_invalid");
  expect((await change("newer@example.com", 1)).status).toBe(200);
});

test("a new email takes effect at once, and the old address may undo it once within 72 hours", async () => {
  await using stage = await openStage();
  const pia = await member(stage, "pia");
  const change = (email: string) => pia.post("/api/user/email/reset", { email, password });
  expect((await change("pia@example.com")).body.code).toBe("email_unchanged");
  expect((await change("PIA2@example.com")).body.data).toBe("Updated user email to PIA2@example.com");
  expect((await me(pia)).data.email).toBe("PIA2@example.com");
  expect((await login(stage.person(), "pia2@example.com")).status).toBe(200);
  expect((await login(stage.person(), "pia@example.com")).body.code).toBe("credentials_invalid");

  const token = await undoTokenIn(stage, "pia@example.com");
  stage.advance(3 * day - minute);
  const undone = await stage.person().post("/api/user/email/undo", { token });
  expect(undone.body).toEqual({ status: 200, data: { email: "pia@example.com" } });
  expect((await me(pia)).code).toBe("unauthenticated");
  await login(pia, "pia@example.com");
  expect((await me(pia)).data.email).toBe("pia@example.com");
  expect((await stage.person().post("/api/user/email/undo", { token })).body.code).toBe("undo_invalid");
});

test("an expired, forged or guessed undo link undoes nothing", async () => {
  await using stage = await openStage();
  const pia = await member(stage, "pia");
  await pia.post("/api/user/email/reset", { email: "new@example.com", password });
  const token = await undoTokenIn(stage, "pia@example.com");
  const undo = async (typed: string) =>
    (await stage.person().post("/api/user/email/undo", { token: typed })).body.code;
  const [id = ""] = token.split(".");
  for (const forged of [id, `${id}.`, `${id}.${"A".repeat(43)}`, token.slice(1), "x", "."]) {
    expect(await undo(forged)).toBe("undo_invalid");
  }
  stage.advance(3 * day);
  expect(await undo(token)).toBe("undo_invalid");
  await login(pia, "pia");
  expect((await me(pia)).data.email).toBe("new@example.com");
});

test("the undo link works whatever the password does meanwhile, and the address stays claimed", async () => {
  await using stage = await openStage();
  const thief = await member(stage, "pia");
  await thief.post("/api/user/email/reset", { email: "thief@example.com", password });
  const token = await undoTokenIn(stage, "pia@example.com");
  await thief.post("/api/user/password/reset", { old_password: password, new_password: fresh });
  const browser = stage.person();
  await askForCode(browser, "thief@example.com");
  const code = await mailedCode(stage, "thief@example.com");
  await browser.post("/api/user/password/forgot", { email: "thief@example.com", code });
  const reset = { email: "thief@example.com", code, password: "one more long phrase" };
  expect((await browser.post("/api/user/password/forgot-reset", reset)).status).toBe(200);

  const squatter = await member(stage, "eve");
  const taken = await squatter.post("/api/user/email/reset", { email: "pia@example.com", password });
  expect(taken.body.code).toBe("email_taken");
  stage.advance(72 * hour - minute);
  const undone = await stage.person().post("/api/user/email/undo", { token });
  expect(undone.body).toEqual({ status: 200, data: { email: "pia@example.com" } });
});

test("an undo mails a recovery code to the restored address, which only the undoing browser can use", async () => {
  await using stage = await openStage();
  const thief = await member(stage, "pia");
  await thief.post("/api/user/email/reset", { email: "thief@example.com", password });
  await thief.post("/api/user/password/reset", { old_password: password, new_password: fresh });
  const [owner, stranger] = [stage.person(), stage.person()];
  const token = await undoTokenIn(stage, "pia@example.com");
  expect((await owner.post("/api/user/email/undo", { token })).status).toBe(200);
  expect((await me(thief)).code).toBe("unauthenticated");
  const email = "pia@example.com";
  const code = await mailedCode(stage, email);
  const refused = await stranger.post("/api/user/password/forgot", { email, code });
  expect(refused.body.code).toBe("recovery_code_invalid");
  expect((await owner.post("/api/user/password/forgot", { email, code })).status).toBe(200);
  const reset = { email, code, password: "the owner's long phrase" };
  expect((await owner.post("/api/user/password/forgot-reset", reset)).status).toBe(200);
  expect((await login(stage.person(), "pia", { password: fresh })).body.code).toBe("credentials_invalid");
  expect((await login(owner, "pia", { password: reset.password })).status).toBe(200);
});

test("after an undo, a thief with the password can't change what protects the account until it is recovered", async () => {
  await using stage = await openStage();
  const thief = await member(stage, "pia");
  await thief.post("/api/user/email/reset", { email: "thief@example.com", password });
  const owner = stage.person();
  const token = await undoTokenIn(stage, "pia@example.com");
  await owner.post("/api/user/email/undo", { token });
  const code = await mailedCode(stage, "pia@example.com");
  expect((await login(thief, "pia")).status).toBe(200);
  for (const [path, body] of [
    ["/api/user/email/reset", { email: "again@example.com", password }],
    ["/api/user/password/reset", { old_password: password, new_password: fresh }],
    ["/api/user/mfa/reset", { password }],
    ["/api/user/delete", { password }],
    ["/api/user/reauthenticate", { password }],
  ] as const) {
    const { status, body: answer } = await thief.post(path, body);
    expect([path, status, answer.code]).toEqual([path, 403, "recovery_due"]);
  }
  const email = "pia@example.com";
  expect((await owner.post("/api/user/password/forgot", { email, code })).status).toBe(200);
  const reset = { email, code, password: fresh };
  expect((await owner.post("/api/user/password/forgot-reset", reset)).status).toBe(200);
  expect((await me(thief)).code).toBe("unauthenticated");
  await login(owner, "pia", { password: fresh });
  const change = { email: "new@example.com", password: fresh };
  expect((await owner.post("/api/user/email/reset", change)).status).toBe(200);
});

test("an undo turns off two-factor that was turned on after the email change, and keeps earlier two-factor", async () => {
  await using stage = await openStage();
  const thief = await member(stage, "pia");
  await thief.post("/api/user/email/reset", { email: "thief@example.com", password });
  const { secret } = await turnOnMfa(stage, thief);
  const keep = (security_code: string) => thief.post("/api/user/email/keep", { security_code });
  expect((await keep(codeAt(stage, secret))).body.code).toBe("mfa_too_new");
  const undo = await undoTokenIn(stage, "pia@example.com");
  expect((await stage.person().post("/api/user/email/undo", { token: undo })).status).toBe(200);
  expect((await login(stage.person(), "pia")).status).toBe(200);
  const subjects = (await mailsTo(stage, "pia@example.com")).map(({ subject }) => subject);
  expect(subjects).toContain("Two-factor sign-in was turned off");

  const sam = await member(stage, "sam");
  const own = await turnOnMfa(stage, sam);
  const moved = { email: "new@example.com", password, security_code: codeAt(stage, own.secret) };
  expect((await sam.post("/api/user/email/reset", moved)).status).toBe(200);
  const token = await undoTokenIn(stage, "sam@example.com");
  expect((await stage.person().post("/api/user/email/undo", { token })).status).toBe(200);
  expect((await login(stage.person(), "sam")).body.code).toBe("mfa_required");
});

test("two-factor that was turned off and on again after the email change counts as turned on after it", async () => {
  await using stage = await openStage();
  const pia = await member(stage, "pia");
  const { secret, recoveryCodes } = await turnOnMfa(stage, pia);
  const moved = { email: "new@example.com", password, security_code: codeAt(stage, secret) };
  expect((await pia.post("/api/user/email/reset", moved)).status).toBe(200);
  await pia.post("/api/user/mfa/remove", { security_code: recoveryCodes[0], password });
  expect((await pia.post("/api/user/email/keep", { security_code: "123456" })).body.code).toBe("mfa_off");
  await login(pia, "pia");
  const later = await turnOnMfa(stage, pia);
  const kept = await pia.post("/api/user/email/keep", { security_code: codeAt(stage, later.secret) });
  expect(kept.body.code).toBe("mfa_too_new");
  const token = await undoTokenIn(stage, "pia@example.com");
  expect((await stage.person().post("/api/user/email/undo", { token })).status).toBe(200);
  expect((await login(stage.person(), "pia")).status).toBe(200);
});

test("a code from two-factor older than the change makes the change final at once, and both addresses are notified", async () => {
  await using stage = await openStage();
  const pia = await member(stage, "pia");
  const keep = (security_code: string) => pia.post("/api/user/email/keep", { security_code });
  expect((await keep("123456")).body.code).toBe("email_settled");
  const { secret, recoveryCodes } = await turnOnMfa(stage, pia);
  const moved = { email: "new@example.com", password, security_code: recoveryCodes[0] };
  expect((await pia.post("/api/user/email/reset", moved)).status).toBe(200);
  const token = await undoTokenIn(stage, "pia@example.com");
  expect((await keep(wrongCode(stage, secret))).body.code).toBe("mfa_code_invalid");
  const kept = await keep(codeAt(stage, secret));
  expect(kept.status).toBe(200);
  for (const address of ["pia@example.com", "new@example.com"])
    expect((await mailsTo(stage, address))[0]?.subject).toBe("Your email change is final");
  expect((await stage.person().post("/api/user/email/undo", { token })).body.code).toBe("undo_invalid");
  // the address is free again
  const squatter = await member(stage, "eve");
  const taken = await squatter.post("/api/user/email/reset", { email: "pia@example.com", password });
  expect(taken.status).toBe(200);
});

test("an undo is refused and changes nothing if another account took the earlier address meanwhile", async () => {
  await using stage = await openStage();
  const pia = await member(stage, "pia");
  await pia.post("/api/user/email/reset", { email: "new@example.com", password });
  const token = await undoTokenIn(stage, "pia@example.com");
  await member(stage, "eve");
  // no call allows it, but an edited database may hold it
  await stage.ctx.store.client.execute(
    "UPDATE accounts SET email = 'pia@example.com', email_key = 'pia@example.com' WHERE username = 'eve'",
  );
  expect((await stage.person().post("/api/user/email/undo", { token })).body.code).toBe("email_taken");
  expect((await me(pia)).data.email).toBe("new@example.com");
});

test("deleting an account whose email change can still be undone notifies both addresses", async () => {
  await using stage = await openStage();
  const thief = await member(stage, "pia");
  await thief.post("/api/user/email/reset", { email: "thief@example.com", password });
  const token = await undoTokenIn(stage, "pia@example.com");
  expect((await thief.post("/api/user/delete", { password })).status).toBe(200);
  for (const address of ["pia@example.com", "thief@example.com"])
    expect((await mailsTo(stage, address))[0]?.subject).toBe("Your account was deleted");
  expect((await stage.person().post("/api/user/email/undo", { token })).body.code).toBe("undo_invalid");
});

test("both addresses are notified that an email change was undone", async () => {
  await using stage = await openStage();
  const pia = await member(stage, "pia");
  await pia.post("/api/user/email/reset", { email: "new@example.com", password });
  const token = await undoTokenIn(stage, "pia@example.com");
  await stage.person().post("/api/user/email/undo", { token });
  for (const address of ["pia@example.com", "new@example.com"]) {
    const subjects = (await mailsTo(stage, address)).map(({ subject }) => subject);
    expect([address, subjects]).toEqual([
      address,
      expect.arrayContaining(["A change of your email address was undone"]),
    ]);
  }
});

test("while a first change can be undone, further ones are announced only to the first address", async () => {
  await using stage = await openStage();
  const pia = await member(stage, "pia");
  const change = (email: string) => pia.post("/api/user/email/reset", { email, password });
  const subjects = async (address: string) =>
    (await mailsTo(stage, address)).map(({ subject }) => subject).filter((one) => /address/.test(one));
  await change("typo@example.com");
  const first = await undoTokenIn(stage, "pia@example.com");
  stage.advance(71.5 * hour);
  expect((await change("right@example.com")).status).toBe(200);
  expect(await subjects("typo@example.com")).toEqual([]);
  expect(await subjects("pia@example.com")).toHaveLength(2);
  const [second] = await mailsTo(stage, "pia@example.com");
  expect(second?.text).toContain("right@example.com");
  expect(second?.text).toContain("You can undo this for less than an hour.");
  expect(await undoTokenIn(stage, "pia@example.com")).toBe(first);

  // once the first can't be undone any more, the next change is a first one
  stage.advance(0.5 * hour);
  await login(pia, "pia");
  expect((await change("last@example.com")).status).toBe(200);
  expect(await subjects("pia@example.com")).toHaveLength(2);
  const token = await undoTokenIn(stage, "right@example.com");
  expect((await stage.person().post("/api/user/email/undo", { token })).body.data).toEqual({
    email: "right@example.com",
  });
});

test("an account that returned to its first address starts afresh", async () => {
  await using stage = await openStage();
  const pia = await member(stage, "pia");
  const change = (email: string) => pia.post("/api/user/email/reset", { email, password });
  await change("new@example.com");
  const token = await undoTokenIn(stage, "pia@example.com");
  expect((await change("pia@example.com")).status).toBe(200);
  expect(await mailsTo(stage, "new@example.com")).toEqual([]);
  expect((await stage.person().post("/api/user/email/undo", { token })).body.code).toBe("undo_invalid");
  expect((await me(pia)).status).toBe(200);
});

test("a thief who moves an account twice can neither keep it from the first address nor block that address", async () => {
  await using stage = await openStage();
  const pia = await member(stage, "pia");
  await pia.post("/api/user/email/reset", { email: "thief@example.com", password });
  await pia.post("/api/user/email/reset", { email: "thief2@example.com", password });
  expect(await mailsTo(stage, "thief@example.com")).toEqual([]);
  const squatter = stage.person();
  const blocked = await squatter.post("/api/auth/register", {
    username: "squatter",
    email: "Pia@example.com",
    password,
    key: await stage.handOut(),
    timezone: "UTC",
  });
  expect(blocked.body).toMatchObject({ status: 409, code: "email_taken" });
  const token = await undoTokenIn(stage, "pia@example.com");
  expect((await stage.person().post("/api/user/email/undo", { token })).status).toBe(200);
  expect((await stage.person().post("/api/user/email/undo", { token })).body.code).toBe("undo_invalid");
  await askForCode(stage.person(), "pia@example.com");
  expect((await mailsTo(stage, "pia@example.com"))[0]?.subject).toBe("Your verification code");
});

test("an email that is taken or invalid is refused", async () => {
  await using stage = await openStage();
  const pia = await member(stage, "pia");
  await member(stage, "eve");
  const change = (email: string) => pia.post("/api/user/email/reset", { email, password });
  expect((await change("EVE@example.com")).body).toMatchObject({
    status: 409,
    code: "email_taken",
    field: "email",
  });
  expect((await change("pia.example.com")).body).toMatchObject({ status: 400, field: "email" });
  expect((await change("a@b.example,c@d.example")).body).toMatchObject({ status: 400, field: "email" });
});

test("a token reset invalidates the old token in the same commit and is announced by mail", async () => {
  await using stage = await openStage();
  const pia = await member(stage, "pia");
  const before = (await me(pia)).data.api_key;
  const answer = await pia.post("/api/user/info/reset/token");
  expect(answer.body.data.api_key).toMatch(/^[\w-]{43}$/);
  expect(answer.body.data.api_key).not.toBe(before);
  expect((await me(pia)).data.api_key).toBe(answer.body.data.api_key);
  const { tokenHash } = await import("@/core/secrets");
  const alive = await stage.ctx.store.client.execute("SELECT api_key_hash AS hash FROM accounts");
  expect(alive.rows.map(({ hash }) => hash)).toEqual([tokenHash(answer.body.data.api_key)]);
  const [notice] = await mailsTo(stage, "pia@example.com");
  expect(notice?.subject).toBe("Your auth token was reset");
});

test("tokens and devices are reset at most five times an hour", async () => {
  await using stage = await openStage();
  const pia = await member(stage, "pia");
  for (const [path, usual] of [
    ["/api/user/info/reset/token", 200],
    ["/api/user/info/reset/hwid", 409],
  ] as const) {
    for (let time = 0; time < 5; time += 1) expect((await pia.post(path)).status).toBe(usual);
    expect((await pia.post(path)).status).toBe(429);
    await stage.shop.worker.drain();
    stage.advance(hour);
    expect((await pia.post(path)).status).toBe(usual);
  }
});

test("a device is unbound at most once in thirty days, and the refusal says when", async () => {
  await using stage = await openStage();
  const pia = await member(stage, "pia");
  const resetDevice = () => pia.post("/api/user/info/reset/hwid");
  expect((await resetDevice()).body).toEqual({
    status: 409,
    data: "Hardware ID is not already set",
    code: "hwid_not_set",
  });
  await bindDevice(stage, pia);
  expect((await me(pia)).data).toMatchObject({ hwid_set: true, last_reset: null });
  expect((await resetDevice()).body).toEqual({ status: 200, data: "Hardware ID reset successfully" });
  const { hwid_set, last_reset } = (await me(pia)).data;
  expect(hwid_set).toBe(false);
  const availableAt = new Date(Date.parse(last_reset) + 30 * day).toISOString();
  const sentence = (left: string) =>
    `Hardware ID can be reset again on ${utcDay(new Date(availableAt))} (${left})`;

  await bindDevice(stage, pia);
  expect((await resetDevice()).body).toEqual({
    status: 409,
    data: sentence("in 30 days"),
    code: "hwid_cooldown",
    available_at: availableAt,
  });
  const left = async (milliseconds: number) => {
    stage.advance(Date.parse(availableAt) - milliseconds - stage.ctx.now().getTime());
    await login(pia, "pia");
    return (await resetDevice()).body.data;
  };
  await stage.shop.worker.drain();
  expect(await left(5.5 * hour)).toBe(sentence("in 6 hours"));
  expect(await left(minute)).toBe(sentence("in 1 minute"));
  expect(await left(0)).toBe("Hardware ID reset successfully");
  const subjects = (await mailsTo(stage, "pia@example.com")).map(({ subject }) => subject);
  expect(subjects.filter((subject) => subject === "Your hardware ID was reset")).toHaveLength(2);
});

test("changes of two-factor, email and password are each limited to five in ten minutes", async () => {
  await using stage = await openStage();
  const pia = await member(stage, "pia");
  for (const [path, body] of [
    ["/api/user/mfa/enable", { security_code: "123456" }],
    ["/api/user/email/reset", { email: "new@example.com", password: "wrong" }],
    ["/api/user/password/reset", { old_password: "wrong", new_password: fresh }],
    ["/api/user/delete", { password: "wrong" }],
  ] as const) {
    for (let time = 0; time < 5; time += 1) expect((await pia.post(path, body)).status).not.toBe(429);
    expect((await pia.post(path, body)).body.code).toBe("rate_limited");
  }
});

test("stored data can be downloaded as a file", async () => {
  await using stage = await openStage();
  const { key } = await stage.buy("pia@example.com");
  const pia = stage.person();
  await pia.register(key, "pia");
  await bindDevice(stage, pia);
  const answer = await pia.get("/api/user/export");
  expect(answer.headers.get("content-disposition")).toBe('attachment; filename="account-pia.json"');
  expect(answer.body.data).toMatchObject({
    account: { username: "pia", email: "pia@example.com", timezone: "Europe/Berlin", mfa: false },
    device: { label: "Desk", os: "linux" },
    discord: null,
    licenses: [{ key, active: true }],
    payments: [{ status: "succeeded", license_key: key }],
    sessions: [{ current: true }],
  });
  expect(answer.body.data.security_events.length).toBeGreaterThan(0);
});

test("deleting an account removes its owner's data and keeps licence and payment", async () => {
  await using stage = await openStage();
  const { key } = await stage.buy("pia@example.com");
  const pia = stage.person();
  await pia.register(key, "pia");
  const { id } = (await me(pia)).data;
  await bindDevice(stage, pia);
  const { secret } = await turnOnMfa(stage, pia);
  const other = stage.person();
  const wrong = await pia.post("/api/user/delete", { password: "not this one" });
  expect(wrong.body).toMatchObject({ status: 401, code: "password_wrong" });
  await stage.ctx.store.client.execute({
    sql: "INSERT INTO links (account_id, discord_user_id, linked_at) VALUES (?, '4242', 0)",
    args: [id],
  });
  const { auditLog } = await import("@/core/schema");
  await stage.ctx.store.db.insert(auditLog).values({
    id: "made-up",
    at: stage.ctx.now(),
    actor: id,
    actorKind: "customer",
    action: "discord.linked",
    subject: "4242",
    accountId: id,
  });
  const deleted = await pia.post("/api/user/delete", { password, security_code: codeAt(stage, secret) });
  expect(deleted.body).toEqual({ status: 200, data: null });
  expect(pia.cookies.size).toBe(0);

  expect((await login(other, "pia")).body.code).toBe("credentials_invalid");
  const rows = await stage.ctx.store.client.batch(
    [
      "SELECT redeemed_at IS NOT NULL AS spent, account_id FROM licences",
      "SELECT state, account_id, email, intent_id IS NOT NULL AS known FROM payments",
    ],
    "read",
  );
  expect(rows[0]?.rows[0]).toMatchObject({ spent: 1, account_id: null });
  expect(rows[1]?.rows[0]).toMatchObject({ state: "succeeded", account_id: null, email: null, known: 1 });
  expect((await stage.person().register(key, "thief")).body.code).toBe("license_taken");

  const [notice] = await mailsTo(stage, "pia@example.com");
  expect(notice?.subject).toBe("Your account was deleted");
  await stage.ctx.store.client.execute("DELETE FROM outbox");
  const dump = await everything(stage);
  for (const trace of ["pia", "4242", "Desk"]) expect(dump).not.toContain(trace);
  expect((await stage.person().register(await stage.handOut(), "pia")).status).toBe(200);
});

/** Every row of every table, as one string. */
async function everything(stage: Stage): Promise<string> {
  const { client } = stage.ctx.store;
  const tables = await client.execute("SELECT name FROM sqlite_master WHERE type = 'table'");
  const rows = await client.batch(
    tables.rows.map(({ name }) => `SELECT * FROM "${name as string}"`),
    "read",
  );
  return JSON.stringify(rows.map((result) => result.rows));
}

test("a password change, a recovery and signing out others replace the auth token on request", async () => {
  await using stage = await openStage();
  const pia = await member(stage, "pia");
  const token = async () => (await me(pia)).data.api_key as string;
  const applicationWith = async (key: string) =>
    (await stage.person().post("/api/app/v1/validate", machine, { authorization: `Bearer ${key}` })).status;
  const machine = { hwid: "machine-number-one", version: "1.0.0" };
  const ways: [string, (renew: object) => Promise<number>][] = [
    [
      "password",
      async (renew) => {
        const body = { old_password: now, new_password: next(), ...renew };
        return (await pia.post("/api/user/password/reset", body)).status;
      },
    ],
    ["others", async (renew) => (await pia.post("/api/user/sessions/end-others", renew)).status],
    [
      "recovery",
      async (renew) => {
        const email = "pia@example.com";
        await askForCode(pia, email);
        const code = await mailedCode(stage, email);
        await pia.post("/api/user/password/forgot", { email, code });
        const reset = { email, code, password: next(), ...renew };
        const { status } = await pia.post("/api/user/password/forgot-reset", reset);
        await login(pia, "pia", { password: now });
        return status;
      },
    ],
  ];
  let now = password;
  let phrases = 0;
  const next = () => (now = `long enough phrase ${(phrases += 1)}`);
  for (const [name, change] of ways) {
    const before = await token();
    for (const renew of [{}, { renew_token: false }])
      expect([name, await change(renew)]).toEqual([name, 200]);
    expect([name, await token()]).toEqual([name, before]);
    stage.advance(hour);
    await mailsTo(stage, "pia@example.com");
    expect([name, await change({ renew_token: true })]).toEqual([name, 200]);
    const after = await token();
    expect([name, after]).not.toEqual([name, before]);
    // 403: it is known, and not activated on that machine
    expect([name, await applicationWith(before), await applicationWith(after)]).toEqual([name, 401, 403]);
    const [notice] = (await mailsTo(stage, "pia@example.com")).filter(({ subject }) => /token/.test(subject));
    expect([name, notice?.subject]).toEqual([name, "Your auth token was reset"]);
  }
  expect((await pia.post("/api/user/sessions/end-others")).status).toBe(200);
});

test("an account without an auth token gets none by a password change", async () => {
  await using stage = await openStage();
  const pia = await member(stage, "pia");
  await stage.ctx.store.client.execute("UPDATE accounts SET api_key_hash = NULL, api_key_sealed = NULL");
  const body = { old_password: password, new_password: fresh, renew_token: true };
  expect((await pia.post("/api/user/password/reset", body)).status).toBe(200);
  expect((await me(pia)).data.api_key).toBeNull();
});
