import { expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateSync } from "otplib";
import { openStore } from "@/core/database/database";
import { settingNames } from "@/core/settings/settings";
import { openSecrets } from "@/core/database/open-secrets";
import { startDiscordSimulator } from "@/simulators/discord/simulator";
import { startMailSimulator } from "@/simulators/mail/simulator";
import { startStripeSimulator } from "@/simulators/stripe/simulator";
import { deliver } from "../../crash/events";
import { encodingsOf } from "../../support/checks/encodings";
import { control } from "../../support/network/control";
import { operateWith } from "../../support/operator/run-operator";
import { Person } from "../../support/people/person";
import { shareSite } from "../../support/shop/shared-site";
import { discordSettings, eventually } from "../../support/shop/stage";
import { type Call, callsOf } from "../api/calls";
import { freePort } from "../../support/shop/free-port";
import { unlimited } from "../../support/shop/unlimited";

/** Settings that anybody may know; every other one must be a secret. */
const openSettings = new Set<string>([
  ..."NODE_ENV PORT HOST PUBLIC_URL DATA_DIR DATABASE_URL STRIPE_PUBLISHABLE_KEY STRIPE_API_URL".split(" "),
  ..."MAIL_FROM MAIL OWNER_EMAIL DISCORD_CLIENT_ID DISCORD_GUILD_ID DISCORD_PREMIUM_ROLE_ID DISCORD_SUPPORT_ROLE_ID".split(
    " ",
  ),
  ..."DISCORD_SUPPORT_CHANNEL_ID DISCORD_STAFF_CHANNEL_ID DISCORD_NEWS_CHANNEL_ID DISCORD_API_URL DISCORD BUILDS_URL AWS_REGION".split(
    " ",
  ),
  ..."AWS_ENDPOINT_URL_S3 DISCORD_OWNER_ROLE_ID REFUND_DAILY_CAP CURRENCY TAX INVOICES SELLER TIME_ZONE AUDIT_KEEP_DAYS OFFLINE_DAYS TRUSTED_PROXIES TOTAL_USERS HSTS IN_CONTAINER BRAND LOG_LEVEL LIMITS FAILPOINT BACKUP_EVERY BACKUP_TO BACKUP_KEEP WEBHOOKS_ALLOW_PRIVATE".split(
    " ",
  ),
]);

/** Which answers contain a secret on purpose: for its owner, and some only once. */
const givenBy: Record<string, RegExp> = {
  "a sold key": /^GET \/api\/(stripe\/verify-payment|payments|licenses\/me|user\/export)$/,
  "a key from the operator": /^GET \/api\/(licenses\/me|user\/export)$/,
  "the api key": /^(GET \/api\/user\/(me|export)|POST \/api\/user\/info\/reset\/token)$/,
  "the authenticator's secret": /^POST \/api\/user\/mfa\/reset$/,
  "a recovery code": /^POST \/api\/user\/mfa\/enable$/,
  "the session cookie": /^POST \/api\/auth\/(register|login)$/,
  "the state of Discord": /^GET \/api\/functions\/get-discord-oauth-url$/,
};

type Answered = { call: string; text: string };

/** A browser that passes every answer, headers included, to a listener. */
class RecordingPerson extends Person {
  constructor(
    home: () => URL,
    private readonly answers: Answered[],
  ) {
    super(home);
  }
  override send = async (method: string, path: string, init: RequestInit = {}) => {
    const answer = await Person.prototype.send.call(this, method, path, init);
    const headers = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
    const call = `${method} ${path.split("?")[0]}`;
    this.answers.push({ call, text: `${headers}\n${JSON.stringify(answer.body)}` });
    return answer;
  };
}

/** The database of a shop that used to run under another secret. */
async function beginUnder(dataDir: string, secretKey: Uint8Array): Promise<void> {
  const store = await openStore({ url: `file:${join(dataDir, "shop.db")}` });
  await openSecrets(store, { secretKey, secretKeyOld: null }, { mayBegin: true });
  store.close();
}

test("a secret in any setting or field never appears in a log, a metric, a list of backups or an answer not meant to contain it", async () => {
  const scratch = await mkdtemp(join(tmpdir(), "latchkey-secrecy-"));
  const dataDir = join(scratch, "data");
  const port = await freePort();
  const secret = (name: string) => `canary-${name.toLowerCase().replaceAll("_", "-")}`;
  const [stripe, mail, discord] = await Promise.all([
    startStripeSimulator({
      seed: 1,
      secretKey: `sk_test_${secret("STRIPE_SECRET_KEY")}`,
      webhook: { secret: `whsec_${secret("STRIPE_WEBHOOK_SECRET")}` },
    }),
    startMailSimulator(),
    startDiscordSimulator({
      seed: 1,
      clientSecret: secret("DISCORD_CLIENT_SECRET"),
      redirectUris: [`http://127.0.0.1:${port}/dashboard/discord-callback`],
    }),
  ]);
  const secretSettings: Record<string, string> = {
    SECRET_KEY: Buffer.from("canary-secret-of-thirty-two-byte").toString("base64"),
    SECRET_KEY_OLD: Buffer.from("canary-before-of-thirty-two-byte").toString("base64"),
    BACKUP_KEY: Buffer.from("canary-backup-of-thirty-two-byte").toString("base64"),
    DATABASE_AUTH_TOKEN: secret("DATABASE_AUTH_TOKEN"),
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
    SMTP_URL: mail.smtpUrl.replace("://", `://canary-login:${secret("SMTP_PASSWORD")}@`),
    DISCORD_BOT_TOKEN: discord.botToken,
    DISCORD_CLIENT_SECRET: discord.clientSecret,
    AWS_ACCESS_KEY_ID: secret("AWS_ACCESS_KEY_ID"),
    AWS_SECRET_ACCESS_KEY: secret("AWS_SECRET_ACCESS_KEY"),
    METRICS_TOKEN: secret("METRICS_TOKEN"),
  };
  expect(settingNames.filter((name) => !openSettings.has(name)).toSorted()).toEqual(
    Object.keys(secretSettings).toSorted() as typeof settingNames,
  );
  const url = new URL(`http://127.0.0.1:${port}`);
  const env: Record<string, string> = {
    ...discordSettings(discord),
    ...secretSettings,
    NODE_ENV: "production",
    PORT: String(port),
    PUBLIC_URL: url.href,
    DATA_DIR: dataDir,
    TRUSTED_PROXIES: "1",
    STRIPE_PUBLISHABLE_KEY: stripe.publishableKey,
    STRIPE_API_URL: stripe.url,
    MAIL_FROM: "Shop <shop@example.com>",
    LOG_LEVEL: "debug",
    ...unlimited,
  };
  await shareSite(dataDir);
  await beginUnder(dataDir, Buffer.from("canary-before-of-thirty-two-byte"));
  const shop = Bun.spawn([process.execPath, "src/main.ts"], {
    cwd: join(import.meta.dir, "../../.."),
    env: { PATH: process.env["PATH"] ?? "", HOME: scratch, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const output = Promise.all([new Response(shop.stdout).text(), new Response(shop.stderr).text()]);
  const answers: Answered[] = [];
  const person = () => new RecordingPerson(() => url, answers);
  /** By name, in every form in which it could leak. */
  const secrets = new Map<string, string[]>(
    Object.entries(secretSettings).map(([name, value]) => [
      name,
      /^(SECRET|BACKUP)_KEY/.test(name)
        ? [...encodingsOf(value), ...encodingsOf(Buffer.from(value, "base64"))]
        : encodingsOf(name === "SMTP_URL" ? secret("SMTP_PASSWORD") : value),
    ]),
  );
  const names = (text: string) =>
    [...secrets]
      .filter(([, encodings]) => encodings.some((encoding) => text.includes(encoding)))
      .map(([name]) => name);
  try {
    // it builds its site first, which takes a while on a busy machine; only the story's own timeout applies
    while (!(await isReady()) && shop.exitCode === null) await Bun.sleep(50);
    stripe.setWebhookUrl(new URL("/api/stripe/webhook", url).href);
    const credentials = await liveThrough();
    const calls = callsOf((await person().get("/api/openapi.json")).body);
    answers.length = 0;
    const wrong = [...(await askWrongly(calls, null)), ...(await askWrongly(calls, credentials))];
    const metrics = await fetch(new URL("/metrics", url), {
      headers: { authorization: `Bearer ${secretSettings["METRICS_TOKEN"]}` },
    });
    const counted = await metrics.text();
    const backups = join(scratch, "backups");
    const listed = [
      await operateWith(env, "backup", "--to", backups),
      await operateWith(env, "backup", "--to", backups, "--json"),
      await operateWith(env, "backups", "--in", backups),
      await operateWith(env, "backups", "--in", backups, "--json"),
      await operateWith(env, "secrets", "rotate", "--reason", "a story"),
      await operateWith(env, "doctor"),
      await operateWith(env, "outbox", "list"),
    ];
    expect(listed.filter(({ code }) => code !== 0)).toEqual([]);
    shop.kill("SIGTERM");
    expect(await shop.exited).toBe(0);
    const [log, errors] = await output;
    console.log(
      `${secrets.size} secrets, ${wrong.length} canaries in ${calls.length} calls, ${answers.length} answers, ${log.split("\n").length} log lines`,
    );

    // the canaries were searched for in real output
    expect(log).toContain('"message":"job"');
    expect(log).toContain('"level":"debug"');
    expect(counted).toContain("latchkey_requests_total");

    const printed = [
      counted,
      ...listed.flatMap(({ out, err }) => [out, err]),
      ...(await readdir(backups)),
    ].join("\n");
    expect(names(log)).toEqual([]);
    expect(names(errors)).toEqual([]);
    expect(names(printed)).toEqual([]);
    for (const text of [log, errors, printed]) expect(text).not.toContain("canary");
    for (const file of [...(await bytesIn(dataDir)), ...(await bytesIn(backups))]) {
      // the database file contains no setting and nobody's secret in the clear
      expect({ file: file.name, holds: names(file.text) }).toEqual({ file: file.name, holds: [] });
    }
  } finally {
    shop.kill("SIGKILL");
    await Promise.all([stripe.stop(), mail.stop(), discord.stop()]);
    await rm(scratch, { recursive: true, force: true });
  }

  function isReady(): Promise<boolean> {
    return fetch(new URL("/api/ready", url)).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  /** Uses each of a customer's secrets as intended, and once with a mistake; checks each answer. */
  async function liveThrough() {
    const know = (name: string, value: string) => {
      expect(value.length).toBeGreaterThan(7);
      secrets.set(name, encodingsOf(value));
    };
    const member = person();
    const opened = await member.post("/api/stripe/create-checkout-session", { currency: "usd" });
    know("the checkout cookie", member.cookies.get("checkout") ?? "");
    const { id: session } = opened.body.data;
    await control(stripe.url, "pay", { session, email: "ada@example.com" });
    const sale = await eventually(
      () => member.get(`/api/stripe/verify-payment?session_id=${session}`),
      ({ body }) => body.data?.license_key != null && body.data.sent_receipt,
    );
    const key: string = sale.body.data.license_key;
    know("a sold key", key);
    know("a sold key without dashes", key.replaceAll("-", ""));
    const password = "canary of a pass phrase";
    know("the password", password);
    expect((await member.register(key, "ada", password)).status).toBe(200);
    know("the session cookie", member.cookies.get("session") ?? "");
    know("the browser's cookie", member.cookies.get("known") ?? "");

    const issued = await operateWith(env, "licences", "issue", "--days", "9", "--reason", "a gift", "--json");
    const gift = /[A-Z]+(-[0-9A-Z]{4}){4}/.exec(issued.out)?.[0] ?? "";
    know("a key from the operator", gift);
    // the account already has a lifetime licence
    expect((await member.post("/api/licenses/redeem", { key: gift, timezone: "UTC" })).status).toBe(409);
    const token = (await member.post("/api/user/info/reset/token")).body.data.api_key;
    know("the api key", token);
    const bearer = { authorization: `Bearer ${token}` };
    const device = { hwid: "canary-of-a-hardware-id", label: "Desk", os: "linux", version: "1.0.0" };
    know("the hardware id", device.hwid);
    expect((await person().post("/api/app/v1/activate", device, bearer)).body.code).toBe("VALID");
    const other = { ...device, hwid: "canary-of-another-hardware-id" };
    know("another hardware id", other.hwid);
    expect((await person().post("/api/app/v1/validate", other, bearer)).status).toBe(403);
    await person().post("/api/app/v1/validate", device, { authorization: "Bearer canary-of-a-wrong-token" });

    const { secret: seed } = (await member.post("/api/user/mfa/reset", { password })).body.data;
    know("the authenticator's secret", seed);
    const code = generateSync({ secret: seed });
    const enabled = await member.post("/api/user/mfa/enable", { security_code: code });
    const recoveryCodes = enabled.body.data.recovery_codes as string[];
    for (const [at, one] of recoveryCodes.entries()) know(`a recovery code, ${at}`, one);
    const [recovery = ""] = recoveryCodes;
    const wrongly = { username: "ada", password: "canary of a wrong phrase", security_code: "" };
    know("a wrong password", wrongly.password);
    expect((await person().post("/api/auth/login", wrongly)).status).toBe(401);
    const again = person();
    expect(
      (await again.post("/api/auth/login", { username: "ada", password, security_code: recovery })).status,
    ).toBe(200);
    know("another session cookie", again.cookies.get("session") ?? "");

    await again.post("/api/user/reauthenticate", { password, security_code: recoveryCodes[1] });
    const { url: authorize } = (await again.get("/api/functions/get-discord-oauth-url")).body;
    know("the state of Discord", new URL(authorize).searchParams.get("state") ?? "");
    const { redirect } = await control(discord.url, "authorize", { url: authorize, user: "ada" });
    const back = new URL(redirect).searchParams;
    know("the code of Discord", back.get("code") ?? "");
    const callback = { code: back.get("code"), state: back.get("state") };
    expect((await again.post("/api/discord/auth/callback", callback)).status).toBeLessThan(300);
    await again.post("/api/discord/auth/callback", callback);

    // fails once, so that the log contains a failure
    mail.setFaults({ mode: "reject-4xx", times: 1 });
    const lost = person();
    await lost.get("/api/user/password/forgot?email=ada@example.com&code=");
    const email = await eventually(
      () => mail.messages("ada@example.com").find(({ subject }) => subject === "Your verification code"),
      (one) => one !== undefined,
    );
    const mailed = /^\s*(\d{6})\s*$/m.exec(email?.text ?? "")?.[1] ?? "";
    expect(
      (await lost.post("/api/user/password/forgot", { email: "ada@example.com", code: mailed })).status,
    ).toBe(200);
    know("the recovery's cookie", lost.cookies.get("recovery") ?? "");
    const fresh = "canary of a newer pass phrase";
    know("the new password", fresh);
    const reset = { email: "ada@example.com", code: mailed, password: fresh };
    expect((await lost.post("/api/user/password/forgot-reset", reset)).status).toBe(200);
    for (const path of ["/api/user/me", "/api/payments", "/api/licenses/me", "/api/user/export"])
      await again.get(path);

    const forged = {
      id: "evt_1",
      created: 1,
      type: "charge.refunded",
      data: { object: { id: "canary-of-an-event" } },
    };
    expect(await deliver(forged, new URL("/api/stripe/webhook", url).href, "a wrong secret")).toBe(400);
    expect(
      await deliver(forged, new URL("/api/stripe/webhook", url).href, stripe.webhookSecret),
    ).toBeLessThan(504);
    for (const path of ["/", "/dashboard/license", "/nowhere", "/assets/nowhere.js", "/robots.txt"])
      await again.get(path);
    judgeAnswers();
    const returned = person();
    const [, , third = ""] = recoveryCodes;
    const entered = { username: "ada", password: fresh, security_code: third };
    expect((await returned.post("/api/auth/login", entered)).status).toBe(200);
    know("the last session cookie", returned.cookies.get("session") ?? "");
    return { session: returned.cookies.get("session") ?? "", token };
  }

  function judgeAnswers() {
    expect(answers.length).toBeGreaterThan(20);
    for (const { call, text } of answers) {
      const unmeant = names(text).filter((name) => !exceptionFor(name)?.test(call));
      expect({ call, unmeant }).toEqual({ call, unmeant: [] });
    }
  }

  function exceptionFor(name: string): RegExp | undefined {
    if (name.endsWith("cookie")) {
      // set by the answer that begins the recovery, and renewed when its code is verified
      return /^(POST \/api\/(auth\/(register|login)|stripe\/create-checkout-session)|(GET|POST) \/api\/user\/password\/forgot)$/;
    }
    return Object.entries(givenBy).find(([start]) => name.startsWith(start))?.[1];
  }

  /**
   * A canary in each field, path parameter and header of every call that the API describes: all at once, and each
   * beside right ones; of who is signed in, or with canaries for cookie and token too.
   */
  async function askWrongly(
    calls: Call[],
    credentials: { session: string; token: string } | null,
  ): Promise<string[]> {
    const canaries: string[] = [];
    const canary = (place: string) => {
      const made = `canary-${canaries.length}-${place.replace(/\W/g, "")}`;
      canaries.push(made);
      return made;
    };
    for (const path of ["/", "/success", "/assets/"])
      await person().get(`${path}${canary("path")}?${canary("name")}=${canary("value")}`);
    // after signing out, no more calls can be made
    const asked = calls.filter(
      ({ path }) => path !== "/metrics" && !(credentials && path.endsWith("/logout")),
    );
    for (const call of asked) {
      const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => canary(name));
      const query = call.query.filter((name) => !call.path.includes(`{${name}}`));
      const fields = Object.keys(call.body?.properties ?? {});
      const tries = ["every field", ...fields.map((_, at) => at)];
      for (const which of tries) {
        const search = query.map((name) => `${name}=${canary(name)}`).join("&");
        const given = fields.map((name, at) => [
          name,
          which === "every field" || which === at
            ? canary(name)
            : (call.example as Record<string, unknown>)?.[name],
        ]);
        const visitor = person();
        visitor.cookies.set("session", credentials?.session ?? canary("session"));
        visitor.cookies.set("recovery", canary("recovery"));
        await visitor.send(call.method, search ? `${path}?${search}` : path, {
          headers: {
            authorization: `Bearer ${credentials?.token ?? canary("bearer")}`,
            "user-agent": canary("agent"),
            "stripe-signature": `t=1,v1=${canary("signature")}`,
            ...(call.body ? { "content-type": "application/json" } : {}),
          },
          ...(call.body ? { body: JSON.stringify(Object.fromEntries(given)) } : {}),
        });
      }
    }
    for (const { call, text } of answers)
      expect({ call, canary: text.includes("canary-") }).toEqual({ call, canary: false });
    return canaries;
  }
});

/** Everything in a folder except the site, as text with one byte per character. */
async function bytesIn(folder: string): Promise<{ name: string; text: string }[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((one) => one.isFile() && !one.parentPath.includes("site"));
  return Promise.all(
    files.map(async ({ name, parentPath }) => ({
      name,
      text: Buffer.from(await Bun.file(join(parentPath, name)).bytes()).toString("latin1"),
    })),
  );
}
