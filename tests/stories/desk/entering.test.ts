import { expect, test } from "bun:test";
import { day, minute } from "@/contract/vocabulary/time";
import { operator } from "@/core/base/actor";
import { addStaff, removeStaff } from "@/domain/staff/staff-actions";
import { appoint, atDesk, colleague } from "../../support/people/desk";
import { openStage } from "../../support/shop/stage";
import { codeAt, login, me, member, nextStep, password, turnOnMfa, wrongCode } from "../accounts/people";

const by = { actor: operator, reason: "a story" };

test("staff enter the desk with their authenticator's code, and a code counts for ten minutes", async () => {
  await using stage = await openStage();
  const olga = await colleague(stage, "olga", "owner");
  expect((await me(olga.person)).data.staff).toBe("owner");
  expect((await olga.get("me")).body).toMatchObject({ status: 401, code: "unauthenticated" });
  expect((await olga.post("enter", {})).body).toMatchObject({ status: 401, code: "mfa_required" });
  const wrong = await olga.post("enter", { security_code: wrongCode(stage, olga.secret) });
  expect(wrong.body).toMatchObject({ status: 401, code: "mfa_code_invalid" });

  const code = codeAt(stage, olga.secret);
  const entered = await olga.post("enter", { security_code: code });
  expect(entered.body).toEqual({ status: 200, data: { name: "olga", role: "owner" } });
  const [cookie] = entered.headers.getSetCookie();
  expect(cookie).toMatch(/^desk=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/);
  expect((await olga.get("audit/actions")).body.data).toContain("staff.entered");
  const { confirmed_until: until } = (await olga.get("me")).body.data;
  const left = Date.parse(until) - stage.ctx.now().getTime();
  expect(left).toBeGreaterThan(9 * minute);
  expect(left).toBeLessThanOrEqual(10 * minute);
  // a code works once
  expect((await olga.post("confirm", { security_code: code })).body.code).toBe("mfa_code_invalid");

  stage.advance(10 * minute);
  const again = { name_or_email: "sam@example.com", role: "support", reason: "answers tickets" };
  expect((await olga.post("staff", again)).body).toMatchObject({ status: 403, code: "confirm" });
  await olga.confirm();
  expect((await olga.post("staff", again)).status).toBe(200);
});

test("a recovery code does not open the desk and stays good", async () => {
  await using stage = await openStage();
  const person = await member(stage, "olga");
  const { recoveryCodes } = await turnOnMfa(stage, person);
  await stage.shop.worker.drain();
  await appoint(stage.ctx, "olga", "owner");
  const [code = ""] = recoveryCodes;
  const entered = await person.post("/api/desk/enter", { security_code: code });
  expect(entered.body).toMatchObject({ status: 401, code: "mfa_code_invalid" });
  expect((await login(stage.person(), "olga", { security_code: code })).status).toBe(200);
});

test("customers, and staff without two-factor, are told why the desk stays closed", async () => {
  await using stage = await openStage();
  const ada = await member(stage, "ada");
  expect((await ada.post("/api/desk/enter", { security_code: "123456" })).body).toMatchObject({
    status: 403,
    code: "forbidden",
  });
  await appoint(stage.ctx, "ada", "viewer");
  expect((await ada.post("/api/desk/enter", { security_code: "123456" })).body).toMatchObject({
    status: 403,
    code: "two_factor_needed",
  });
  expect((await stage.person().post("/api/desk/enter", {})).body.code).toBe("unauthenticated");
});

test("five wrong codes lock two-factor, at the desk as at sign-in", async () => {
  await using stage = await openStage();
  const sam = await colleague(stage, "sam", "support");
  const code = wrongCode(stage, sam.secret);
  const statuses: number[] = [];
  for (let at = 0; at < 6; at += 1) statuses.push((await sam.post("enter", { security_code: code })).status);
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  const right = await login(stage.person(), "sam", { security_code: codeAt(stage, sam.secret) });
  expect(right.status).toBe(429);
});

test("the desk's cookie is worth nothing without its own session", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const sam = await atDesk(stage, "sam", "viewer");
  const thief = stage.person();
  thief.cookies.set("desk", olga.person.cookies.get("desk")!);
  expect((await thief.get("/api/desk/me")).body.code).toBe("unauthenticated");
  // in another's session
  sam.person.cookies.set("desk", olga.person.cookies.get("desk")!);
  expect((await sam.get("me")).body.code).toBe("unauthenticated");
  // in another session of the same account
  const other = stage.person();
  await nextStep(stage);
  await login(other, "olga", { security_code: codeAt(stage, olga.secret) });
  other.cookies.set("desk", olga.person.cookies.get("desk")!);
  expect((await other.get("/api/desk/me")).body.code).toBe("unauthenticated");
  expect((await olga.get("me")).status).toBe(200);
});

test("the desk closes after thirty idle minutes and after twelve hours, and keeps the session alive meanwhile", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const sam = await atDesk(stage, "sam", "viewer");
  stage.advance(28 * minute);
  expect((await olga.get("me")).status).toBe(200);
  stage.advance(3 * minute);
  expect((await sam.get("me")).status).toBe(401);
  for (let minutes = 31; minutes < 12 * 60 - 25; minutes += 25) {
    stage.advance(25 * minute);
    expect((await olga.get("me")).status).toBe(200);
  }
  stage.advance(25 * minute);
  expect((await olga.get("me")).status).toBe(401);
  expect((await me(olga.person)).status).toBe(200);
  await stage.shop.periodicJobs.run();
  stage.advance(day);
  await stage.shop.periodicJobs.run();
  const left = await stage.ctx.store.client.execute("SELECT count(*) AS n FROM desk_sessions");
  expect(left.rows[0]?.["n"]).toBe(0);
});

test("the desk dies at once with its session, password, two-factor, role and account", async () => {
  await using stage = await openStage();
  const ways: Record<string, (one: Awaited<ReturnType<typeof atDesk>>) => Promise<unknown>> = {
    leave: ({ post }) => post("leave"),
    logout: ({ person }) => person.post("/api/auth/logout"),
    password: ({ person, secret }) =>
      person.post("/api/user/password/reset", {
        old_password: password,
        new_password: "another long enough phrase",
        security_code: codeAt(stage, secret),
      }),
    factor: ({ person, secret }) =>
      person.post("/api/user/mfa/remove", { security_code: codeAt(stage, secret), password }),
    role: () => removeStaff(stage.ctx, "role", by),
  };
  for (const [name, act] of Object.entries(ways)) {
    const one = await atDesk(stage, name, "owner");
    await nextStep(stage);
    const { cookies } = one.person;
    const kept = { session: cookies.get("session")!, desk: cookies.get("desk")! };
    expect([name, (await one.get("me")).status]).toEqual([name, 200]);
    await act(one);
    cookies.set("desk", kept.desk);
    if (name === "logout") cookies.set("session", kept.session);
    expect([name, (await one.get("me")).status]).toEqual([name, 401]);
  }
});

test("a role given again does not open the desk that an earlier one had opened", async () => {
  await using stage = await openStage();
  const sam = await atDesk(stage, "sam", "support");
  await removeStaff(stage.ctx, "sam", by);
  await appoint(stage.ctx, "sam", "support");
  expect((await sam.get("me")).status).toBe(401);
});

test("a changed role holds from the next call on", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  expect((await olga.get("staff")).status).toBe(200);
  await addStaff(stage.ctx, { named: "olga", role: "support", mail: "on" }, by);
  expect((await olga.get("staff")).body).toMatchObject({ status: 403, code: "forbidden" });
  expect((await olga.get("me")).body.data.role).toBe("support");
});
