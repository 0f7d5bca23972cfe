import { expect, test } from "bun:test";
import { day, minute } from "@/contract/vocabulary/time";
import { commit } from "@/core/database/commit";
import { countAccounts } from "@/domain/accounts/sessions/account";
import { logRoutine, logSecurity } from "@/domain/accounts/sessions/security-log";
import { freePort } from "../../support/shop/free-port";
import { Person } from "../../support/people/person";
import { openStage } from "../../support/shop/stage";
import { login, mailedCode, me, member, password } from "./people";

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0";
const iphone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1";

test("an owner sees where the account is signed in, and can sign any session out", async () => {
  await using stage = await openStage();
  const sam = await member(stage, "sam");
  const [laptop, phone] = [stage.person(), stage.person()];
  const from = { username: "sam", password };
  await laptop.post("/api/auth/login", from, { "user-agent": firefox });
  stage.advance(minute);
  await phone.post("/api/auth/login", from, { "user-agent": iphone });
  const seen = (await laptop.get("/api/user/sessions")).body.data;
  expect(seen).toMatchObject([
    { device: "Safari on iPhone", address: phone.address, current: false },
    { device: "Firefox on Linux", address: laptop.address, current: true },
    { device: expect.any(String), current: false },
  ]);
  expect(Object.keys(seen[0]).toSorted()).toEqual(
    ["address", "created_at", "current", "device", "id", "last_seen_at"].toSorted(),
  );

  expect((await laptop.post("/api/user/sessions/end", { id: seen[0].id })).body.data).toBeNull();
  expect((await me(phone)).code).toBe("unauthenticated");
  const gone = await laptop.post("/api/user/sessions/end", { id: seen[0].id });
  expect(gone.body).toMatchObject({ status: 404, code: "session_unknown" });
  await laptop.post("/api/user/sessions/end-others");
  expect((await me(sam)).code).toBe("unauthenticated");
  expect((await laptop.get("/api/user/sessions")).body.data).toHaveLength(1);
});

test("a long user agent is truncated as the request comes in", async () => {
  await using stage = await openStage();
  const sam = await member(stage, "sam");
  const userAgent = "Version/1".repeat(1_700);
  await sam.post("/api/auth/login", { username: "sam", password }, { "user-agent": userAgent });
  await sam.post("/api/stripe/create-checkout-session", { currency: "usd" }, { "user-agent": userAgent });
  const { rows } = await stage.ctx.store.client.execute("SELECT user_agent FROM sessions");
  expect(rows).toMatchObject([{ user_agent: userAgent.slice(0, 300) }]);
  expect((await sam.get("/api/user/sessions")).body.data).toMatchObject([{ device: "Unknown device" }]);
});

test("nobody can end another account's session", async () => {
  await using stage = await openStage();
  const sam = await member(stage, "sam");
  const eve = await member(stage, "eve");
  const [own] = (await sam.get("/api/user/sessions")).body.data;
  expect((await eve.post("/api/user/sessions/end", { id: own.id })).body.code).toBe("session_unknown");
  await eve.post("/api/user/sessions/end-others");
  expect((await me(sam)).status).toBe(200);
});

test("every sign-in makes a new session and ends the one that the browser had", async () => {
  await using stage = await openStage();
  const sam = await member(stage, "sam");
  const planted = sam.cookies.get("session") ?? "";
  await login(sam, "sam");
  expect(sam.cookies.get("session")).not.toBe(planted);
  const thief = stage.person();
  thief.cookies.set("session", planted);
  expect((await me(thief)).code).toBe("unauthenticated");
  expect((await sam.get("/api/user/sessions")).body.data).toHaveLength(1);
});

test("a stolen cookie dies with its session", async () => {
  await using stage = await openStage();
  const sam = await member(stage, "sam");
  const thief = stage.person();
  thief.cookies.set("session", sam.cookies.get("session") ?? "");
  expect((await me(thief)).status).toBe(200);
  await sam.post("/api/auth/logout");
  expect((await me(thief)).code).toBe("unauthenticated");
  const change = { old_password: password, new_password: "another long phrase" };
  expect((await thief.post("/api/user/password/reset", change)).status).toBe(401);
});

test("a session not used for a week has expired, and is deleted", async () => {
  await using stage = await openStage();
  const sam = await member(stage, "sam");
  for (let time = 0; time < 3; time += 1) {
    stage.advance(6 * day);
    expect((await me(sam)).status).toBe(200);
  }
  stage.advance(7 * day + 1);
  expect((await me(sam)).code).toBe("unauthenticated");
  const { forgetExpired } = await import("@/domain/accounts/sign-in/forget");
  await forgetExpired(stage.ctx);
  const left = await stage.ctx.store.client.execute("SELECT count(*) AS n FROM sessions");
  expect(left.rows[0]?.["n"]).toBe(0);
});

test("a session expires after ninety days, however often it is used", async () => {
  await using stage = await openStage();
  const sam = await member(stage, "sam");
  for (let time = 0; time < 15; time += 1) {
    stage.advance(6 * day - 1_000);
    expect((await me(sam)).status).toBe(200);
  }
  await sam.post("/api/user/reauthenticate", { password });
  stage.advance(15_000);
  expect((await me(sam)).code).toBe("unauthenticated");
  await login(sam, "sam");
  expect((await sam.get("/api/user/sessions")).body.data).toHaveLength(1);
  const { forgetExpired } = await import("@/domain/accounts/sign-in/forget");
  await forgetExpired(stage.ctx);
  const left = await stage.ctx.store.client.execute("SELECT count(*) AS n FROM sessions");
  expect(left.rows[0]?.["n"]).toBe(1);
});

test("one address may guess at an account five times a minute, which stops nobody elsewhere", async () => {
  await using stage = await openStage();
  await member(stage, "sam");
  const guesser = stage.person();
  const guess = () => login(guesser, "sam", { password: "not this one" });
  for (let time = 0; time < 5; time += 1) expect((await guess()).status).toBe(401);
  const sixth = await guess();
  expect(sixth.body).toMatchObject({ status: 429, code: "rate_limited" });
  expect(sixth.headers.get("retry-after")).toMatch(/^\d+$/);
  expect((await login(stage.person(), "sam")).status).toBe(200);
  for (let time = 0; time < 5; time += 1) {
    expect((await login(guesser, `sam${time}`, { password: "not this one" })).status).toBe(401);
  }
  expect((await login(guesser, "another", { password: "not this one" })).status).toBe(429);
});

test("a browser that signed in before can sign in even if a guesser shares its address, and is counted separately", async () => {
  await using stage = await openStage();
  const sam = await member(stage, "sam");
  await sam.post("/api/auth/logout");
  const guesser = stage.person();
  const sameAddress = { "x-forwarded-for": sam.address };
  const from = (password: string) => ({ username: "sam", password });
  for (let time = 0; time < 11; time += 1) {
    await guesser.post("/api/auth/login", from("not this one"), sameAddress);
  }
  expect((await guesser.post("/api/auth/login", from(password), sameAddress)).status).toBe(429);
  expect((await login(sam, "sam")).status).toBe(200);

  const stolen = stage.person();
  stolen.cookies.set("known", sam.cookies.get("known") ?? "");
  for (let time = 0; time < 4; time += 1) {
    expect((await login(stolen, "sam", { password: "not this one" })).status).toBe(401);
  }
  expect((await login(stolen, "sam")).status).toBe(429);
});

test("a browser's cookie is useless for another account, and so is a made-up one", async () => {
  await using stage = await openStage();
  const sam = await member(stage, "sam");
  await member(stage, "eve");
  const guesser = stage.person();
  const wrong = { password: "not this one" };
  for (const mark of [sam.cookies.get("known") ?? "", "made.up", "x", "."]) {
    guesser.cookies.set("known", mark);
    await login(guesser, "eve", wrong);
  }
  await login(guesser, "eve", wrong);
  expect((await login(guesser, "eve", wrong)).status).toBe(429);
});

test("sign-in cookies are out of reach of scripts and other sites", async () => {
  await using stage = await openStage();
  await member(stage, "sam");
  const cookies = (await login(stage.person(), "sam")).headers.getSetCookie();
  expect(cookies).toHaveLength(2);
  for (const cookie of cookies) expect(cookie).toMatch(/HttpOnly; SameSite=Lax$/);
});

test("on https every cookie is bound to the exact host and to https", async () => {
  const publicUrl = "https://shop.example";
  await using stage = await openStage({ env: { PUBLIC_URL: publicUrl, PORT: String(await freePort()) } });
  const browser = new Person(() => stage.shop.listening);
  const asked = [
    await browser.register(await stage.handOut(), "sam"),
    await browser.post("/api/stripe/create-checkout-session", { currency: "usd" }),
    await browser.get("/api/user/password/forgot?email=sam@example.com"),
  ];
  const code = await mailedCode(stage, "sam@example.com");
  asked.push(await browser.post("/api/user/password/forgot", { email: "sam@example.com", code }));
  expect(asked.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const cookies = asked.flatMap(({ headers }) => headers.getSetCookie());
  const names = cookies.map((cookie) => cookie.split("=")[0]);
  expect(names).toEqual([
    "__Host-session",
    "__Host-known",
    "__Host-checkout",
    "__Host-recovery",
    "__Host-recovery",
  ]);
  for (const cookie of cookies) expect(cookie).toMatch(/; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  expect((await browser.get("/api/user/me")).status).toBe(200);
  for (const { headers } of asked)
    expect(headers.get("strict-transport-security")).toBe("max-age=63072000; includeSubDomains");
});

test("a new shop has no accounts", async () => {
  await using stage = await openStage();
  expect(await countAccounts(stage.ctx)).toBe(0);
  const names = ["admin", "root", "sa", "test", "guest", "demo", "ada", "operator"];
  for (const name of names)
    expect((await login(stage.person(), name, { password: name })).body.code).toBe("credentials_invalid");
});

test("an owner reads the account's events, in words", async () => {
  await using stage = await openStage();
  const sam = await member(stage, "sam");
  await member(stage, "eve");
  await sam.post("/api/user/info/reset/token");
  const events = (await sam.get("/api/user/security-events")).body.data;
  expect(events).toMatchObject([
    { code: "token.reset", text: "Auth token reset" },
    { code: "licence.redeemed", text: "License key redeemed", device: null },
    { code: "account.registered", text: "Account created" },
  ]);
  for (let time = 0; time < 25; time += 1) {
    await sam.post("/api/user/sessions/end-others");
  }
  const all = (await sam.get("/api/user/security-events")).body;
  expect([all.data.length, all.next]).toEqual([28, null]);
});

test("however often an application is activated and deactivated, a changed password stays on the log's first page", async () => {
  await using stage = await openStage({ env: { LIMITS: "app=100000/60" } });
  const sam = await member(stage, "sam");
  const change = { old_password: password, new_password: "another long phrase" };
  expect((await sam.post("/api/user/password/reset", change)).status).toBe(200);
  const { id, api_key: token } = (await me(sam)).data;
  const machine = { hwid: "machine-number-one", label: "Study", os: "Linux", version: "1.0.0" };
  const as = { authorization: `Bearer ${token}` };
  // an earlier version kept all of them
  const earlier = Array.from({ length: 120 }, () =>
    logSecurity(stage.ctx, { code: "device.deactivated", accountId: id }),
  );
  await commit(stage.ctx.store, earlier);
  for (let time = 0; time < 150; time += 1) {
    stage.advance(1_000);
    expect((await sam.post("/api/app/v1/activate", machine, as)).status).toBe(200);
    expect((await sam.post("/api/app/v1/deactivate", { hwid: machine.hwid }, as)).status).toBe(200);
  }
  const { data, next } = (await sam.get("/api/user/security-events")).body;
  const codes = data.map(({ code }: { code: string }) => code);
  for (const code of ["password.changed", "account.registered", "device.bound", "licence.redeemed"])
    expect(codes).toContain(code);
  // the newest of them
  expect(codes.filter((code: string) => code === "device.deactivated")).toHaveLength(15);
  expect(stage.ctx.now().getTime() - Date.parse(data[0].at)).toBeLessThan(minute);
  expect(next).toBeNull();
});

test("events that others can cause never fill the log's first page", async () => {
  await using stage = await openStage();
  const sam = await member(stage, "sam");
  const { id: accountId } = (await me(sam)).data;
  const change = { old_password: password, new_password: "another long phrase" };
  expect((await sam.post("/api/user/password/reset", change)).status).toBe(200);
  const routine = [
    "device.deactivated",
    "session.ended",
    "session.others_ended",
    "recovery.sent",
    "mfa.code_refused",
    "account.guesses_refused",
  ] as const;
  stage.advance(1_000);
  for (const code of routine) {
    for (let time = 0; time < 40; time += 1)
      await commit(stage.ctx.store, logRoutine(stage.ctx, { code, accountId }));
  }
  const { data } = (await sam.get("/api/user/security-events")).body;
  expect(data.map(({ code }: { code: string }) => code)).toContain("password.changed");
});
