import { expect, test } from "bun:test";
import { hour, minute } from "@/contract/vocabulary/time";
import type { Person } from "../../support/people/person";
import { hashAtFullCost } from "../../support/shop/password-cost";
import { openStage, type Stage } from "../../support/shop/stage";
import {
  askForCode,
  changeEmail,
  codeAt,
  confirmation,
  login,
  mailedCode,
  mailsTo,
  me,
  member,
  nextStep,
  password,
  recover,
  turnOnMfa,
  verifiedRecovery,
  wrongCode,
} from "./people";

const email = "pia@example.com";
const fresh = "another long phrase";

/** An account whose owner has confirmed its address. */
async function owned(stage: Stage): Promise<Person> {
  const pia = await member(stage, "pia");
  await recover(stage, email);
  await login(pia, "pia");
  return pia;
}

const withSessionOf = (stage: Stage, person: Person): Person => {
  const thief = stage.person();
  thief.cookies.set("session", person.cookies.get("session") ?? "");
  return thief;
};

test("a stolen session that guesses passwords keeps nobody from recovering", async () => {
  await using stage = await openStage();
  const thief = withSessionOf(stage, await owned(stage));
  const guess = { old_password: "a wrong guess", new_password: "yet another phrase" };
  for (let time = 0; time < 6; time += 1) await thief.post("/api/user/password/reset", guess);
  expect((await (await verifiedRecovery(stage, email)).reset()).status).toBe(200);
  expect((await me(thief)).code).toBe("unauthenticated");
});

test("nothing done at the address that a thief put in ends a recovery through the former one", async () => {
  await using stage = await openStage();
  await owned(stage);
  const thief = stage.person();
  await login(thief, "pia");
  await changeEmail(stage, thief, "thief@example.com");
  const owner = await verifiedRecovery(stage, email);
  const change = { old_password: password, new_password: "the thief's own phrase" };
  expect((await thief.post("/api/user/password/reset", change)).status).toBe(200);
  const own = await verifiedRecovery(stage, "thief@example.com");
  expect((await own.reset({ password: "the thief's other phrase" })).status).toBe(200);
  expect((await owner.reset()).status).toBe(200);
  expect((await login(owner.browser, "pia", { password: fresh })).status).toBe(200);
  expect((await me(owner.browser)).data.email).toBe(email);
});

test("wrong codes at the sign-in don't lock the one that takes an account back", async () => {
  await using stage = await openStage();
  const pia = await owned(stage);
  const { secret } = await turnOnMfa(stage, pia);
  stage.advance(73 * hour);
  const thief = stage.person();
  await login(thief, "pia", { security_code: codeAt(stage, secret) });
  await nextStep(stage);
  const change = { email: "thief@example.com", password, security_code: codeAt(stage, secret) };
  await thief.post("/api/user/email/reset", change);
  const { token } = await confirmation(stage, "thief@example.com");
  expect((await thief.post("/api/user/email/confirm", { token })).status).toBe(200);
  await nextStep(stage);
  for (let time = 0; time < 6; time += 1)
    await login(time < 4 ? stage.person() : thief, "pia", { security_code: wrongCode(stage, secret) });
  const { reset } = await verifiedRecovery(stage, email);
  expect((await reset({ security_code: codeAt(stage, secret) })).status).toBe(200);
});

test("two-factor that a thief turns on while the new password is hashed doesn't stay", async () => {
  await using stage = await openStage();
  await owned(stage);
  const thief = stage.person();
  await login(thief, "pia");
  const { secret } = (await thief.post("/api/user/mfa/reset", { password })).body.data;
  const { browser, reset } = await verifiedRecovery(stage, email);
  using _ = hashAtFullCost();
  const enabling = Bun.sleep(10).then(() =>
    thief.post("/api/user/mfa/enable", { security_code: codeAt(stage, secret) }),
  );
  const [done] = await Promise.all([reset(), enabling]);
  if (done.status !== 200) {
    expect(done.body.code).toBe("conflict");
    expect((await reset()).status).toBe(200);
  }
  expect((await login(browser, "pia", { password: fresh })).status).toBe(200);
});

test("an address that was asked for with the old password is not confirmed after the new one", async () => {
  await using stage = await openStage();
  const pia = await owned(stage);
  await pia.post("/api/user/email/reset", { email: "thief@example.com", password });
  const { token } = await confirmation(stage, "thief@example.com");
  await pia.post("/api/user/password/reset", { old_password: password, new_password: fresh });
  expect((await me(pia)).data.email_pending).toBeNull();
  expect((await pia.post("/api/user/email/confirm", { token })).body.code).toBe("confirmation_invalid");
});

test("a person who asks again, for another address, ends their own code and not the mailbox's link", async () => {
  await using stage = await openStage();
  await member(stage, "pia");
  const stranger = stage.person();
  await askForCode(stranger, email);
  const code = await mailedCode(stage, email);
  const [mail] = await mailsTo(stage, email);
  const token = /\/forgot-pass#(\S+)/.exec(mail?.text ?? "")?.[1];
  await askForCode(stranger, "nobody@example.com");
  const typed = await stranger.post("/api/user/password/forgot", { email, code });
  expect(typed.body.code).toBe("recovery_code_invalid");
  stage.advance(30 * minute);
  expect((await stage.person().post("/api/user/password/forgot", { token })).status).toBe(200);
});
