import { expect, test } from "bun:test";
import { generateSync } from "otplib";
import { openCrashStage, waitUntil } from "../../crash/harness";
import { operateOn } from "../../crash/processes";
import { Person } from "../../support/people/person";
import { password } from "../accounts/people";

const keyPattern = /[A-Z]+(-[0-9A-Z]{4}){4}/;
const codeOf = (secret: string) => generateSync({ secret, epoch: Math.floor(Date.now() / 1000) });

test("wrong codes, attempts, limits and used codes survive SIGKILL", async () => {
  await using stage = await openCrashStage();
  const { world } = stage;
  let shop = await stage.start();
  const killAndStart = async () => {
    await shop.kill();
    shop = await stage.start();
  };
  const person = () => new Person(() => new URL(world.shopUrl));
  const theo = person();
  const key = (await operateOn(world, "licences", "issue", "--reason", "a story", "--json")).match(
    keyPattern,
  )?.[0];
  expect((await theo.register(key ?? "", "theo", password)).status).toBe(200);
  const { secret } = (await theo.post("/api/user/mfa/reset", { password })).body.data;
  const first = codeOf(secret);
  const enabled = await theo.post("/api/user/mfa/enable", { security_code: first });
  const [used, unused] = enabled.body.data.recovery_codes;
  const login = (who: Person, more: object) =>
    who.post("/api/auth/login", { username: "theo", password, ...more });
  expect((await login(person(), { security_code: used })).status).toBe(200);

  // each of these is the last thing before the kill
  await login(person(), { security_code: "wrong-code" });
  await killAndStart();
  expect((await login(person(), { security_code: first })).body.code).toBe("mfa_code_invalid");
  expect((await login(person(), { security_code: used })).body.code).toBe("mfa_code_invalid");
  for (let time = 0; time < 3; time += 1) {
    expect((await login(person(), { security_code: "wrong-code" })).body.code).toBe("mfa_code_invalid");
  }
  await killAndStart();
  expect((await login(person(), { security_code: unused })).body.code).toBe("rate_limited");
  expect((await theo.get("/api/user/me")).status).toBe(200);

  const guesser = person();
  for (let time = 0; time < 5; time += 1) await login(guesser, { password: "not this one" });
  await killAndStart();
  expect((await login(guesser, { password: "not this one" })).body.code).toBe("rate_limited");

  const forgetful = person();
  const ask = () => forgetful.get("/api/user/password/forgot?email=theo@example.com&code=");
  expect((await ask()).status).toBe(200);
  const [email = ""] = await waitUntil(
    () => world.emailsWith("Your verification code"),
    ({ length }) => length === 1,
  );
  const code = /^\s*(\d{6})\s*$/m.exec(email)?.[1] ?? "";
  const verify = (typed: string) =>
    forgetful.post("/api/user/password/forgot", { email: "theo@example.com", code: typed });
  const wrong = code === "000000" ? "000001" : "000000";
  for (let time = 0; time < 3; time += 1) {
    expect((await verify(wrong)).body.code).toBe("recovery_code_invalid");
  }
  await killAndStart();
  expect((await verify(code)).body.code).toBe("recovery_code_invalid");
  expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
  await killAndStart();
  expect((await ask()).status).toBe(429);
});
