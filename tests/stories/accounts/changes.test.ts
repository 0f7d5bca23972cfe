import { expect, test } from "bun:test";
import { utcDay } from "@/contract/vocabulary/dates";
import { brand } from "@/brand/brand";
import { day, hour, minute } from "@/contract/vocabulary/time";
import { accounts } from "@/domain/schema/accounts";
import { hashAtFullCost } from "../../support/shop/password-cost";
import { openStage, type Stage } from "../../support/shop/stage";
import {
  bindDevice,
  codeAt,
  login,
  mailsTo,
  me,
  member,
  password,
  prove,
  turnOnMfa,
  wrongCode,
} from "./people";

const fresh = "another long phrase";

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
  expect(email.body).toEqual({
    status: 200,
    data: "Open the link we emailed to new@example.com, or enter its digits here",
  });
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
  const { tokenHash } = await import("@/core/secrets/secrets");
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
    `Hardware ID can be reset again on ${utcDay(new Date(availableAt))} (${left}).`;

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
  await prove(stage, "pia");
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
  const { auditLog } = await import("@/core/database/schema");
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

test("a password change and signing out others replace the auth token on request", async () => {
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
