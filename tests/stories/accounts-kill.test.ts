import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateSync } from "otplib";
import { startMailSimulator } from "@/simulators/mail/simulator";
import { Person } from "../person";
import { eventually } from "../stage";
import { password } from "./accounts/people";

type Running = { url: string; key: string; kill(): Promise<void> };

/** Starts the shop on its data, and resolves once it answers. */
async function start(dataDir: string, smtpUrl: string): Promise<Running> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "accounts/shop-process.ts")], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
    env: {
      ...process.env,
      PORT: "0",
      DATA_DIR: dataDir,
      STRIPE_SECRET_KEY: "sk_test_x",
      STRIPE_PUBLISHABLE_KEY: "pk_test_x",
      STRIPE_WEBHOOK_SECRET: "whsec_x",
      // nobody pays in this story
      STRIPE_API_URL: "http://127.0.0.1:9",
      SMTP_URL: smtpUrl,
      MAIL_FROM: "shop@example.com",
      DISCORD: "off",
      TRUSTED_PROXIES: "1",
    },
  });
  const kill = async () => {
    child.kill("SIGKILL");
    await child.exited;
  };
  let said = "";
  for await (const bytes of child.stdout) {
    said += new TextDecoder().decode(bytes);
    const line = said.split("\n").find((line) => line.startsWith('{"url"'));
    if (line) return { ...JSON.parse(line), kill };
  }
  throw new Error(`the shop did not start: ${said}`);
}

const codeOf = (secret: string) => generateSync({ secret, epoch: Math.floor(Date.now() / 1000) });

test("after SIGKILL wrong codes, tries, limits, used steps and codes count as before it", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "latchkey-kill-"));
  const mail = await startMailSimulator();
  let shop = await start(dataDir, mail.smtpUrl);
  const killAndStart = async () => {
    await shop.kill();
    shop = await start(dataDir, mail.smtpUrl);
  };
  const person = () => new Person(() => new URL(shop.url));
  try {
    const theo = person();
    expect((await theo.register(shop.key, "theo", password)).status).toBe(200);
    const { secret } = (await theo.post("/api/user/mfa/reset")).body.data;
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
    const mails = await eventually(
      () => mail.messages("theo@example.com").filter(({ subject }) => subject === "Your verification code"),
      (mails) => mails.length === 1,
    );
    const code = /^\s*(\d{6})\s*$/m.exec(mails[0]?.text ?? "")?.[1] ?? "";
    const verify = (typed: string) =>
      forgetful.post("/api/user/password/forgot", { email: "theo@example.com", code: typed });
    const wrong = code === "000000" ? "000001" : "000000";
    for (let time = 0; time < 3; time += 1) {
      expect((await verify(wrong)).body.code).toBe("recovery_code_invalid");
      await killAndStart();
    }
    expect((await verify(code)).body.code).toBe("recovery_code_invalid");
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
    await killAndStart();
    expect((await ask()).status).toBe(429);
  } finally {
    await shop.kill();
    await mail.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}, 90_000);
