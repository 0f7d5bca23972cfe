/** How an address becomes an account's, and what its mailbox proves. */
import { expect, test } from "bun:test";
import { day, hour, minute } from "@/contract/vocabulary/time";
import type { Person } from "../../support/people/person";
import { connect, waitForHolders } from "../../support/people/discord";
import { operate } from "../../support/operator/run-operator";
import { openStage, type Stage } from "../../support/shop/stage";
import {
  askForCode,
  bindDevice,
  changeEmail,
  codeAt,
  confirmation,
  login,
  mailsTo,
  me,
  member,
  nextStep,
  password,
  recover,
  turnOnMfa,
  unproven,
  verifiedRecovery,
} from "./people";

const fresh = "another long phrase";
const ask = (person: Person, email: string, more: object = {}) =>
  person.post("/api/user/email/reset", { email, password, ...more });
const confirm = async (person: Person, body: object) =>
  (await person.post("/api/user/email/confirm", body)).body;

/** Takes an account back through one of its addresses. */
async function takeBack(stage: Stage, email: string, more: object = {}) {
  const { browser, reset } = await verifiedRecovery(stage, email);
  return { browser, ...(await reset(more)) };
}

test("a new address is the account's once its mailbox has confirmed it, and until then the old one stays", async () => {
  await using stage = await openStage();
  const pia = await member(stage, "pia");
  expect((await ask(pia, "pia@example.com")).body.code).toBe("email_unchanged");
  expect((await ask(pia, "PIA2@example.com")).status).toBe(200);
  expect((await me(pia)).data).toMatchObject({
    email: "pia@example.com",
    email_confirmed: true,
    email_pending: "PIA2@example.com",
  });
  const [notice] = await mailsTo(stage, "pia@example.com");
  expect(notice?.subject).toBe("Another email address was entered for your account");
  const { token } = await confirmation(stage, "pia2@example.com");
  expect(await confirm(pia, { token })).toEqual({
    status: 200,
    data: { email: "PIA2@example.com", confirmed: true },
  });
  expect((await me(pia)).data).toMatchObject({
    email: "PIA2@example.com",
    email_confirmed: true,
    email_pending: null,
  });
  expect((await login(stage.person(), "pia2@example.com")).status).toBe(200);
  expect((await login(stage.person(), "pia@example.com")).body.code).toBe("credentials_invalid");
  expect((await confirm(pia, { token })).code).toBe("confirmation_invalid");
});

test("a link confirms only in a browser that is signed in to the account that asked; whoever gets it can end the request", async () => {
  await using stage = await openStage();
  const thief = await member(stage, "thief");
  const victim = await member(stage, "vic");
  await ask(thief, "victim@example.com");
  const { token } = await confirmation(stage, "victim@example.com");
  for (const browser of [stage.person(), victim]) {
    const refused = await confirm(browser, { token });
    expect(refused).toMatchObject({ status: 403, code: "confirm_elsewhere" });
    expect(refused.data).toContain("thief");
  }
  const decline = () => stage.person().post("/api/user/email/decline", { token });
  expect((await decline()).status).toBe(200);
  expect((await confirm(thief, { token })).code).toBe("confirmation_invalid");
  expect((await decline()).body.code).toBe("confirmation_invalid");
  expect((await me(thief)).data).toMatchObject({ email: "thief@example.com", email_pending: null });
});

test("the digits confirm in any session of the account; three wrong ones end them, and the link stays", async () => {
  await using stage = await openStage();
  const pia = await member(stage, "pia");
  await ask(pia, "new@example.com");
  const { code, token } = await confirmation(stage, "new@example.com");
  const wrong = code === "123456" ? "654321" : "123456";
  expect((await confirm(stage.person(), { code })).code).toBe("unauthenticated");
  for (let time = 0; time < 3; time += 1)
    expect((await confirm(pia, { code: wrong })).code).toBe("confirmation_invalid");
  expect((await confirm(pia, { code })).code).toBe("confirmation_invalid");
  expect((await confirm(pia, { token })).data.email).toBe("new@example.com");

  // sent again, the newest counts
  expect((await confirm(pia, {})).code).toBe("email_confirmed");
  await ask(pia, "newer@example.com");
  const first = await confirmation(stage, "newer@example.com");
  expect(await confirm(pia, {})).toMatchObject({ data: { email: "newer@example.com", confirmed: false } });
  const second = await confirmation(stage, "newer@example.com");
  if (first.code !== second.code)
    expect((await confirm(pia, { code: first.code })).code).toBe("confirmation_invalid");
  const elsewhere = stage.person();
  await login(elsewhere, "pia");
  expect(
    (await confirm(elsewhere, { code: ` ${second.code.slice(0, 3)}-${second.code.slice(3)} ` })).data.email,
  ).toBe("newer@example.com");
});

test("registering mails a link and digits to the address, of which either confirms it", async () => {
  await using stage = await openStage();
  const [pia, tim] = [await unproven(stage, "pia"), await unproven(stage, "tim")];
  expect((await me(pia)).data).toMatchObject({ email_confirmed: false, email_pending: null });
  const { token } = await confirmation(stage, "pia@example.com");
  expect((await confirm(tim, { token })).code).toBe("confirm_elsewhere");
  expect((await confirm(pia, { token })).data).toEqual({ email: "pia@example.com", confirmed: true });
  const { code } = await confirmation(stage, "tim@example.com");
  expect((await confirm(tim, { code })).status).toBe(200);
  for (const one of [pia, tim]) expect((await me(one)).data.email_confirmed).toBe(true);
});

test("an account's own address is confirmed on request, three times a day, and lasts a day from when it was mailed", async () => {
  await using stage = await openStage();
  const pia = await unproven(stage, "pia");
  for (let time = 0; time < 3; time += 1) expect((await confirm(pia, {})).status).toBe(200);
  expect((await confirm(pia, {})).code).toBe("rate_limited");
  const { token } = await confirmation(stage, "pia@example.com");
  stage.advance(day - minute);
  await login(pia, "pia");
  expect((await confirm(pia, { token })).data).toEqual({ email: "pia@example.com", confirmed: true });
  expect((await me(pia)).data.email_confirmed).toBe(true);
  const tim = await unproven(stage, "tim");
  await confirm(tim, {});
  const late = await confirmation(stage, "tim@example.com");
  stage.advance(day);
  await login(tim, "tim");
  expect((await confirm(tim, { token: late.token })).code).toBe("confirmation_invalid");
});

test("for 72 hours a confirmed address takes back the account that it was changed on, with what came since", async () => {
  await using stage = await openStage({ discord: true });
  const pia = await member(stage, "pia");
  await recover(stage, "pia@example.com");
  // a thief who knows the password
  const thief = stage.person();
  await login(thief, "pia");
  await changeEmail(stage, thief, "thief@example.com");
  const [notice] = await mailsTo(stage, "pia@example.com");
  expect(notice?.subject).toBe("Your email address was changed");
  expect(notice?.text).toContain("“Forgot password” gets your account back with this address");
  await changeEmail(stage, thief, "thief2@example.com");
  await connect(stage, thief, "mallory");
  await turnOnMfa(stage, thief);
  expect((await stage.person().register(await stage.handOut(), "pia2")).status).toBe(200);
  const squatter = { username: "eve", email: "Pia@example.com", password, timezone: "UTC" };
  const key = await stage.handOut();
  const register = () => stage.person().post("/api/auth/register", { ...squatter, key });
  expect((await register()).body.code).toBe("email_taken");

  const { status, browser } = await takeBack(stage, "pia@example.com");
  expect(status).toBe(200);
  expect((await me(thief)).code).toBe("unauthenticated");
  expect((await login(browser, "pia@example.com", { password: fresh })).status).toBe(200);
  expect((await me(browser)).data).toMatchObject({
    email: "pia@example.com",
    email_confirmed: true,
    mfa: false,
    discord_authed: false,
  });
  await waitForHolders(stage, []);
  // the thief's addresses are worth nothing any more
  for (const email of ["thief@example.com", "thief2@example.com"]) {
    const before = (await mailsTo(stage, email)).length;
    await askForCode(stage.person(), email);
    expect(await mailsTo(stage, email)).toHaveLength(before);
  }
  expect((await login(pia, "pia")).body.code).toBe("credentials_invalid");
});

test("after 72 hours, or if nobody had confirmed it, an address that was replaced is anybody's", async () => {
  await using stage = await openStage();
  const pia = await unproven(stage, "pia");
  await changeEmail(stage, pia, "new@example.com");
  expect((await stage.person().register(await stage.handOut(), "pia1")).status).toBe(200);
  const free = { username: "first", email: "pia@example.com", password, timezone: "UTC" };
  const registered = await stage.person().post("/api/auth/register", { ...free, key: await stage.handOut() });
  expect(registered.status).toBe(200);
  await changeEmail(stage, pia, "newer@example.com");
  stage.advance(72 * hour);
  await askForCode(stage.person(), "new@example.com");
  expect((await mailsTo(stage, "new@example.com")).map(({ subject }) => subject)).not.toContain(
    "Your verification code",
  );
});

test("two-factor that is older stays, and taking an account back through a former address takes its code", async () => {
  await using stage = await openStage();
  const pia = await member(stage, "pia");
  await recover(stage, "pia@example.com");
  await login(pia, "pia");
  const { secret, recoveryCodes } = await turnOnMfa(stage, pia);
  stage.advance(73 * hour);
  await login(pia, "pia", { security_code: codeAt(stage, secret) });
  await nextStep(stage);
  await ask(pia, "new@example.com", { security_code: codeAt(stage, secret) });
  const { token } = await confirmation(stage, "new@example.com");
  await confirm(pia, { token });
  const without = await takeBack(stage, "pia@example.com");
  expect(without.body.code).toBe("mfa_required");
  expect((await me(pia)).data.email).toBe("new@example.com");
  expect((await takeBack(stage, "pia@example.com", { security_code: recoveryCodes[0] })).status).toBe(200);
  expect((await login(stage.person(), "pia", { password: fresh })).body.code).toBe("mfa_required");
});

test("the first proof of a mailbox ends what was set up before it, whatever its age", async () => {
  await using stage = await openStage({ discord: true });
  // somebody registers with another's address
  const squatter = await unproven(stage, "vic");
  await connect(stage, squatter, "mallory");
  await bindDevice(stage, squatter);
  await turnOnMfa(stage, squatter);
  await ask(squatter, "thief@example.com", { security_code: "" });
  const token = (await me(squatter)).data.api_key;
  stage.advance(30 * day);
  const { browser, status } = await takeBack(stage, "vic@example.com");
  expect(status).toBe(200);
  await login(browser, "vic", { password: fresh });
  const now = (await me(browser)).data;
  expect(now).toMatchObject({
    email: "vic@example.com",
    email_confirmed: true,
    email_pending: null,
    mfa: false,
    discord_authed: false,
  });
  expect(now.api_key).not.toBe(token);
  await waitForHolders(stage, []);
});

test("a customer who recovered their account signs in from that browser, however often strangers have guessed", async () => {
  await using stage = await openStage();
  await member(stage, "pia");
  for (let network = 0; network < 21; network += 1) {
    const stranger = stage.person();
    for (let guess = 0; guess < 5; guess += 1) await login(stranger, "pia", { password: "a wrong guess" });
  }
  const { browser } = await takeBack(stage, "pia@example.com");
  expect((await login(browser, "pia", { password: fresh })).status).toBe(200);
});

test("in a shop that sends no mail a change applies at once, and nothing is confirmed", async () => {
  await using stage = await openStage({ env: { MAIL: "off" } });
  const pia = await member(stage, "pia");
  expect((await ask(pia, "new@example.com")).body.data).toBe("Updated user email to new@example.com");
  expect((await me(pia)).data).toMatchObject({ email: "new@example.com", email_confirmed: false });
});

test("support hands an account over for good where a thief has its confirmed address", async () => {
  await using stage = await openStage();
  const thief = await member(stage, "pia");
  await recover(stage, "pia@example.com");
  await login(thief, "pia");
  await changeEmail(stage, thief, "thief@example.com");
  const change = ["pia", "owner@example.com", "--reason", "proved the purchase", "--json"];
  await operate(stage, "accounts", "change-email", ...change, "--ends-former");
  const { token } = await confirmation(stage, "owner@example.com");
  expect((await confirm(stage.person(), { token })).data.email).toBe("owner@example.com");
  for (const email of ["thief@example.com", "pia@example.com"]) {
    const before = (await mailsTo(stage, email)).length;
    await askForCode(stage.person(), email);
    expect(await mailsTo(stage, email)).toHaveLength(before);
  }
  expect((await takeBack(stage, "owner@example.com")).status).toBe(200);
});
