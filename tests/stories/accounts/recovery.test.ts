import { expect, test } from "bun:test";
import { desc } from "drizzle-orm";
import { day, hour, minute } from "@/contract/vocabulary/time";
import { recoveries } from "@/domain/schema/accounts";
import type { Person } from "../../support/people/person";
import { openStage, type Stage } from "../../support/shop/stage";
import {
  askForCode,
  changeEmail,
  codeAt,
  login,
  mailedCode,
  mailsTo,
  me,
  member,
  password,
  recover,
  turnOnMfa,
} from "./people";

const email = "rea@example.com";
const fresh = "another long phrase";

const verify = (person: Person, code: string, address = email) =>
  person.post("/api/user/password/forgot", { email: address, code });
const reset = (person: Person, code: string, more: object = {}) =>
  person.post("/api/user/password/forgot-reset", { email, code, password: fresh, ...more });

/** A browser that requested a code, and that code. */
async function requestCode(stage: Stage): Promise<{ browser: Person; code: string }> {
  const browser = stage.person();
  // emails sent together may arrive in any order
  await stage.shop.worker.drain();
  expect((await askForCode(browser, email)).status).toBe(200);
  return { browser, code: await mailedCode(stage, email) };
}

/** Six digits other than the code. */
const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

test("a forgotten password is replaced in three steps, which end every session and notify the owner", async () => {
  await using stage = await openStage();
  const rea = await member(stage, "rea");
  const browser = stage.person();
  expect((await askForCode(browser, "REA@example.com")).body).toEqual({
    status: 200,
    data: "Sent email containing verification code (check spam folder)",
  });
  const code = await mailedCode(stage, email);
  expect((await verify(browser, code)).body).toEqual({
    status: 200,
    data: "Email verified, now choose a new password",
  });
  expect((await reset(browser, code)).body).toEqual({
    status: 200,
    data: "Password successfully reset, you may now login",
  });
  expect(browser.cookies.has("session")).toBe(false);
  expect((await me(rea)).code).toBe("unauthenticated");
  expect((await login(stage.person(), "rea", { password })).body.code).toBe("credentials_invalid");
  expect((await login(stage.person(), "rea", { password: fresh })).status).toBe(200);
  const [notice] = await mailsTo(stage, email);
  expect(notice?.subject).toBe("Your password was reset");
});

test("a code is valid for ten minutes, and only a browser's newest counts", async () => {
  await using stage = await openStage();
  await member(stage, "rea");
  const { browser, code } = await requestCode(stage);
  const before = browser.cookies.get("recovery") ?? "";
  await askForCode(browser, email);
  const newer = await mailedCode(stage, email);
  if (code !== newer) expect((await verify(browser, code)).body.code).toBe("recovery_code_invalid");
  const late = stage.person();
  late.cookies.set("recovery", before);
  expect((await verify(late, code)).body.code).toBe("recovery_code_invalid");
  expect((await verify(browser, newer)).status).toBe(200);
  const second = await requestCode(stage);
  stage.advance(10 * minute);
  expect((await verify(second.browser, second.code)).body.code).toBe("recovery_code_invalid");
});

test("a code belongs to the browser that asked for it: others can neither use nor spend it", async () => {
  await using stage = await openStage();
  await member(stage, "rea");
  const asking = await askForCode(stage.person(), "nobody@example.com");
  expect(asking.headers.getSetCookie().join()).toMatch(/recovery=.+Max-Age=600;.*HttpOnly;.*SameSite=Lax/i);
  const { browser, code } = await requestCode(stage);
  const stranger = stage.person();
  expect((await verify(stranger, code)).body.code).toBe("recovery_code_invalid");
  const other = await requestCode(stage);
  for (let time = 0; time < 4; time += 1) {
    const guess = time % 2 === 0 ? stranger : other.browser;
    expect((await verify(guess, otherThan(other.code))).body.code).toBe("recovery_code_invalid");
  }
  if (other.code !== code)
    expect((await verify(other.browser, code)).body.code).toBe("recovery_code_invalid");
  expect((await verify(browser, code)).status).toBe(200);
  expect((await reset(browser, code)).status).toBe(200);
});

test("a password reset voids the codes of other browsers", async () => {
  await using stage = await openStage();
  await member(stage, "rea");
  const first = await requestCode(stage);
  const second = await requestCode(stage);
  await verify(first.browser, first.code);
  await verify(second.browser, second.code);
  expect((await reset(first.browser, first.code)).status).toBe(200);
  const late = await reset(second.browser, second.code, { password: "a third long phrase" });
  expect(late.body.code).toBe("recovery_refused");
});

test("strangers who request codes can't keep an owner from getting one, up to twenty a day and then one an hour, or at all in a browser that signed in before", async () => {
  await using stage = await openStage();
  const owner = await member(stage, "rea");

  for (let stranger = 0; stranger < 6; stranger += 1) {
    const person = stage.person();
    for (let time = 0; time < 3; time += 1) expect((await askForCode(person, email)).status).toBe(200);
    expect((await askForCode(person, email)).status).toBe(429);
  }
  const { browser, code } = await requestCode(stage);
  expect((await verify(browser, code)).status).toBe(200);
  expect((await askForCode(stage.person(), email)).status).toBe(200);
  // a stranger takes this hour's too
  expect((await askForCode(stage.person(), email)).status).toBe(200);
  expect((await askForCode(stage.person(), email.toUpperCase())).status).toBe(429);
  expect((await askForCode(owner, email)).status).toBe(200);
  // a browser that is known to another account is a stranger here
  expect((await askForCode(await member(stage, "mal"), email)).status).toBe(429);
  const [token, elsewhere] = [await mailedLink(stage), stage.person()];
  expect((await useLink(elsewhere, token)).status).toBe(200);
  stage.advance(day);
  expect((await askForCode(stage.person(), email)).status).toBe(200);
});

test("step two can't be skipped, nor step three done from another browser or for another account", async () => {
  await using stage = await openStage();
  await member(stage, "rea");
  await member(stage, "eve");
  const { browser, code } = await requestCode(stage);
  expect((await reset(browser, code)).body.code).toBe("recovery_refused");
  await verify(browser, code);
  expect((await reset(stage.person(), code)).body.code).toBe("recovery_refused");

  const eve = stage.person();
  await askForCode(eve, "eve@example.com");
  const evesCode = await mailedCode(stage, "eve@example.com");
  await verify(eve, evesCode, "eve@example.com");
  expect((await reset(eve, code)).body.code).toBe("recovery_refused");
  expect((await reset(eve, evesCode)).body.code).toBe("recovery_refused");
  expect((await reset(browser, otherThan(code))).body.code).toBe("recovery_refused");
  expect((await reset(browser, code)).status).toBe(200);
});

test("going a step back and forward again costs no attempt", async () => {
  await using stage = await openStage();
  await member(stage, "rea");
  const { browser, code } = await requestCode(stage);
  for (let time = 0; time < 6; time += 1) expect((await verify(browser, code)).status).toBe(200);
  expect((await reset(browser, code)).status).toBe(200);
});

test("a verified browser has ten minutes to choose", async () => {
  await using stage = await openStage();
  await member(stage, "rea");
  const { browser, code } = await requestCode(stage);
  const verified = await verify(browser, code);
  expect(verified.headers.getSetCookie().join()).toMatch(/recovery=.+Max-Age=600;.*HttpOnly;.*SameSite=Lax/i);
  stage.advance(10 * minute);
  expect((await reset(browser, code)).body.code).toBe("recovery_refused");
});

test("a bad new password is refused with its reason, and the code stays valid", async () => {
  await using stage = await openStage();
  await member(stage, "rea");
  const { browser, code } = await requestCode(stage);
  await verify(browser, code);
  expect((await reset(browser, code, { password: "password1" })).body.code).toBe("password_common");
  expect((await reset(browser, code, { password: "Rea@Example.com" })).body.code).toBe("password_personal");
  expect((await reset(browser, code, { password: "short" })).body).toMatchObject({
    status: 400,
    code: "invalid_field",
    field: "password",
  });
  expect((await reset(browser, code)).status).toBe(200);
});

/** An account whose address is confirmed, with two-factor that nobody doubts any more. */
async function withOldMfa(stage: Stage) {
  const rea = await member(stage, "rea");
  await recover(stage, email);
  await login(rea, "rea");
  const enabled = await turnOnMfa(stage, rea);
  stage.advance(73 * hour);
  return enabled;
}

test("recovery signs nobody in and does not bypass two-factor", async () => {
  await using stage = await openStage();
  const { secret } = await withOldMfa(stage);
  const { browser, code } = await requestCode(stage);
  await verify(browser, code);
  await reset(browser, code);
  expect(browser.cookies.has("session")).toBe(false);
  expect((await login(browser, "rea", { password: fresh })).body.code).toBe("mfa_required");
  const withCode = await login(browser, "rea", { password: fresh, security_code: codeAt(stage, secret) });
  expect(withCode.status).toBe(200);
});

test("recovery does not shorten a two-factor lock", async () => {
  await using stage = await openStage();
  const { secret } = await withOldMfa(stage);
  for (let time = 0; time < 5; time += 1) await login(stage.person(), "rea", { security_code: "000000" });
  const { browser, code } = await requestCode(stage);
  await verify(browser, code);
  await reset(browser, code);
  const locked = await login(browser, "rea", { password: fresh, security_code: codeAt(stage, secret) });
  expect(locked.status).toBe(429);
});

test("answers don't reveal who has an account", async () => {
  await using stage = await openStage();
  await member(stage, "rea");
  const [known, unknown] = [stage.person(), stage.person()];
  for (const ask of [
    (person: Person, address: string) => askForCode(person, address),
    (person: Person, address: string) => verify(person, "123456", address),
    (person: Person, address: string) => reset(person, "123456", { email: address }),
    (person: Person, address: string) => login(person, address, { password: "not the right one" }),
  ]) {
    for (let time = 0; time < 4; time += 1) {
      const [one, other] = [await ask(known, email), await ask(unknown, "nobody@example.com")];
      expect(one.status).toBe(other.status);
      expect(steady(one.body)).toEqual(steady(other.body));
      expect([...one.headers.keys()]).toEqual([...other.headers.keys()]);
    }
  }
  expect(await mailsTo(stage, "nobody@example.com")).toEqual([]);
});

/** Without a limit's remaining seconds, which change. */
const steady = (body: { data: unknown }) => ({ ...body, data: String(body.data).replace(/\d+ seconds/, "") });

test("a request that already contains a code is refused, and so is an invalid address", async () => {
  await using stage = await openStage();
  const person = stage.person();
  const withCode = await person.get(`/api/user/password/forgot?email=${email}&code=123456`);
  expect(withCode.body).toMatchObject({ status: 400, code: "invalid_field", field: "code" });
  for (const address of ["", "nobody", "a@b.c, d@e.f", "a@b.example\r\nBcc: x@y.example"]) {
    expect((await askForCode(person, address)).body).toMatchObject({ status: 400, field: "email" });
  }
  for (const site of ["cross-site", "same-site", "none"]) {
    const elsewhere = await person.get(`/api/user/password/forgot?email=${email}`, {
      "sec-fetch-site": site,
    });
    expect(elsewhere.body.code).toBe("cross_site");
  }
});

test("a visitor gets three codes an hour and six a day per email, and ten an hour in all", async () => {
  await using stage = await openStage();
  await member(stage, "rea");
  const forgetful = stage.person();
  const ask = async () => (await askForCode(forgetful, email)).status;
  const statuses: number[] = [];
  for (const wait of [0, 0, 0, 0, hour + 1, 0, 0, hour + 1]) {
    if (wait > 0) await mailsTo(stage, email);
    stage.advance(wait);
    statuses.push(await ask());
  }
  expect(statuses).toEqual([200, 200, 200, 429, 200, 200, 200, 429]);
  stage.advance(day);
  expect(await ask()).toBe(200);

  const eager = stage.person();
  for (let time = 0; time < 10; time += 1) {
    expect((await askForCode(eager, `someone${time}@example.com`)).status).toBe(200);
  }
  expect((await askForCode(eager, "someone10@example.com")).status).toBe(429);
});

test("one address may try twenty codes a day in all", async () => {
  await using stage = await openStage();
  const guesser = stage.person();
  for (let time = 0; time < 20; time += 1) {
    expect((await verify(guesser, "123456", `someone${time}@example.com`)).status).toBe(400);
  }
  expect((await verify(guesser, "123456")).status).toBe(429);
});

test("a code is void once the address has changed", async () => {
  await using stage = await openStage();
  const rea = await member(stage, "rea");
  const first = await requestCode(stage);
  await verify(first.browser, first.code);
  await changeEmail(stage, rea, "new@example.com");
  expect((await reset(first.browser, first.code)).body.code).toBe("recovery_refused");
  expect((await reset(first.browser, first.code, { email: "new@example.com" })).body.code).toBe(
    "recovery_refused",
  );
});

/** The token of the link in the newest recovery mail. */
async function mailedLink(stage: Stage): Promise<string> {
  const [mail] = await mailsTo(stage, email);
  return /\/forgot-pass#(\S+)/.exec(mail?.text ?? "")?.[1] ?? "";
}
const useLink = (person: Person, token: string) => person.post("/api/user/password/forgot", { token });
const resetBy = (person: Person, token: string) =>
  person.post("/api/user/password/forgot-reset", { token, password: fresh });

test("the mail's link recovers in any browser, and from then on in that one alone", async () => {
  await using stage = await openStage();
  await member(stage, "rea");
  const { browser, code } = await requestCode(stage);
  await verify(browser, code);
  const token = await mailedLink(stage);
  const [other, thief] = [stage.person(), stage.person()];
  expect((await resetBy(other, token)).body.code).toBe("recovery_refused");
  expect((await useLink(other, `${token}x`)).body).toMatchObject({ code: "link_invalid" });
  expect((await useLink(other, token)).status).toBe(200);
  expect((await resetBy(thief, token)).body.code).toBe("recovery_refused");
  expect((await reset(browser, code)).body.code).toBe("recovery_refused");
  expect((await resetBy(other, token)).status).toBe(200);
  expect(other.cookies.has("session")).toBe(false);
  expect((await login(other, "rea", { password: fresh })).status).toBe(200);
  expect((await useLink(other, token)).body.code).toBe("link_invalid");
});

test("a link works for an hour, and its browser has ten minutes", async () => {
  await using stage = await openStage();
  await member(stage, "rea");

  await requestCode(stage);
  const first = await mailedLink(stage);
  stage.advance(59 * minute);
  expect((await useLink(stage.person(), first)).status).toBe(200);
  stage.advance(minute);
  expect((await useLink(stage.person(), first)).body.code).toBe("link_invalid");
  await requestCode(stage);
  const [late, slow] = [await mailedLink(stage), stage.person()];
  await useLink(slow, late);
  stage.advance(10 * minute);
  expect((await resetBy(slow, late)).body.code).toBe("recovery_refused");
});

test("a code's ten minutes run from when the server took its mail, and one that waited for an hour is made anew", async () => {
  await using stage = await openStage();
  await member(stage, "rea");
  await stage.shop.worker.drain();
  const forgotten = async (waited: number) => {
    stage.mail.setFaults({ mode: "reject-5xx", at: "sender", reply: "550 5.7.1 Sender refused" });
    const browser = stage.person();
    expect((await askForCode(browser, email)).status).toBe(200);
    await stage.shop.worker.drain();
    const codes = async () => {
      const rows = await stage.ctx.store.db.select().from(recoveries).orderBy(desc(recoveries.id));
      return rows[0]?.codeSealed;
    };
    const before = await codes();
    await stage.acceptMail(waited);
    await stage.shop.periodicJobs.run();
    await stage.shop.worker.drain();
    const code = await mailedCode(stage, email);
    return { browser, code, isAnew: (await codes()) !== before };
  };
  const soon = await forgotten(50 * minute);
  expect(soon.isAnew).toBe(false);
  stage.advance(9 * minute);
  expect((await verify(soon.browser, soon.code)).status).toBe(200);
  stage.advance(hour);

  const late = await forgotten(3 * hour);
  expect(late.isAnew).toBe(true);
  stage.advance(9 * minute);
  expect((await verify(late.browser, late.code)).status).toBe(200);
  stage.advance(day);

  const expired = await forgotten(2 * day);
  stage.advance(11 * minute);
  expect((await verify(expired.browser, expired.code)).status).toBe(400);
});
