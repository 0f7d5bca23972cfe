import { expect, test } from "bun:test";
import { appendFile, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inTime } from "@/operator/doctor/in-time";
import type { Platform } from "@/contract/vocabulary/builds";
import { mayMount, withOwnMounts } from "../../support/checks/own-mounts";
import { startBucket } from "../../support/network/bucket";
import { bytesOf, release } from "../../support/shop/publish-release";
import { operateWith, settingsOf } from "../../support/operator/run-operator";
import { discordSettings, openStage, type Stage } from "../../support/shop/stage";

type Finding = { what: string; state: string; sentence: string };

/** What the doctor finds, and its exit code. */
async function runDoctor(stage: Stage, env: Record<string, string> = {}) {
  const { out, err, code } = await operateWith({ ...settingsOf(stage), ...env }, "doctor", "--json");
  if (out === "") throw new Error(err);
  const findings: Finding[] = JSON.parse(out);
  const of = (what: string) => findings.filter((finding) => finding.what === what);
  return { code, of, out, wrong: findings.filter(({ state }) => state === "wrong") };
}

const discordOf = (stage: Stage) => ({ DISCORD: "", ...discordSettings(stage.discord) });

/** A stage with Discord, whose application has the shop's redirect. */
async function openWithDiscord(): Promise<Stage> {
  const stage = await openStage({ discord: true });
  const redirect = new URL("/dashboard/discord-callback", stage.url).href;
  await stage.atDiscord("application", { redirect_uris: [redirect] });
  return stage;
}

test("the doctor reports no problems if Stripe, mail and Discord answer, and says what it can't tell", async () => {
  await using stage = await openWithDiscord();
  const { code, of, out, wrong } = await runDoctor(stage, discordOf(stage));
  expect({ code, wrong }).toEqual({ code: 0, wrong: [] });
  for (const what of ["database", "clock", "outbox", "Stripe", "webhooks", "disputes", "mail", "Discord"]) {
    expect(of(what)).toMatchObject([{ state: "well" }]);
  }
  expect(of("disk").map(({ state }) => state)).toEqual(["well", "well"]);
  expect(of("not checked")).toMatchObject([{ state: "unknown" }]);
  expect(out.indexOf("not checked")).toBeGreaterThan(out.indexOf("Discord"));
  expect(of("backup")).toMatchObject([{ state: "warning" }]);
});

test("the doctor names what is unreachable or refuses, exits with 3, and reveals no secret", async () => {
  await using stage = await openStage();
  const env = {
    STRIPE_SECRET_KEY: "sk_test_canary_of_stripe",
    SMTP_URL: "smtp://canary-login:canary-password@127.0.0.1:9",
  };
  const { code, of, out } = await runDoctor(stage, env);
  expect(code).toBe(3);
  expect(of("Stripe")).toMatchObject([{ state: "wrong" }]);
  expect(of("mail")).toMatchObject([{ state: "wrong" }]);
  expect(out).not.toContain("canary");
  const away = await runDoctor(stage, { STRIPE_API_URL: "http://127.0.0.1:9" });
  expect(away.of("Stripe")).toMatchObject([{ state: "wrong", sentence: "Stripe can't be reached." }]);
  await stage.atStripe("faults", { api: { next: [{ fail: 500, count: 1_000 }] } });
  const failing = await runDoctor(stage);
  expect(failing.of("Stripe")).toMatchObject([
    { state: "wrong", sentence: expect.stringMatching(/^Stripe answers with an error \(5\d\d\)\.$/) },
  ]);
});

test("the doctor finds the sample brand in production, and nowhere else", async () => {
  await using stage = await openStage();
  expect((await runDoctor(stage)).of("brand")).toEqual([]);
  const { of } = await runDoctor(stage, { NODE_ENV: "production", PUBLIC_URL: "https://shop.example.com" });
  expect(of("brand")).toMatchObject([
    { state: "warning", sentence: expect.stringContaining("The brand is the sample") },
  ]);
});

test("the doctor reports a bot whose token is refused", async () => {
  await using stage = await openWithDiscord();
  const { code, of } = await runDoctor(stage, { ...discordOf(stage), DISCORD_BOT_TOKEN: "canary.token" });
  expect(code).toBe(3);
  expect(of("Discord")).toMatchObject([
    { state: "wrong", sentence: expect.stringContaining("Discord refuses the bot's token") },
  ]);
});

test("the doctor tells a Discord that refuses from one that is away", async () => {
  await using stage = await openWithDiscord();
  const sentenceAfter = async (api: object) => {
    await stage.atDiscord("faults", { api });
    const [finding] = (await runDoctor(stage, discordOf(stage))).of("Discord");
    return `${finding?.state}: ${finding?.sentence}`;
  };
  const answer = { status: 403, body: { code: 40001, message: "Unauthorized" } };
  const refusal = { fail: "answer", answer, path: "/applications/@me", count: 9 };
  expect(await sentenceAfter({ next: [refusal] })).toBe("wrong: Discord refuses what the bot asks (40001).");
  expect(await sentenceAfter({ next: [], away: true })).toBe(
    "warning: It can't be reached; the shop sells without it.",
  );
});

test("the doctor gives the invitation URL for a bot that is not in the server", async () => {
  await using stage = await openWithDiscord();
  await stage.atDiscord("bot", { in_server: false });
  const { code, of } = await runDoctor(stage, discordOf(stage));
  expect(code).toBe(3);
  const address = `https://discord.com/oauth2/authorize?client_id=${stage.discordConfig.clientId}&`;
  expect(of("Discord")).toMatchObject([{ state: "wrong", sentence: expect.stringContaining(address) }]);
});

/** Refusals by Discord; the bot and several doctors together may also run into a limit, which is none. */
async function refusalsOf(stage: Stage): Promise<number> {
  const { invalid, limited } = await stage.atDiscord("tally");
  return invalid - limited.user - limited.global;
}

test("the doctor finds a wrong client id, client secret, redirect and owner role, with one refusal by Discord at most", async () => {
  await using stage = await openWithDiscord();
  const own = discordOf(stage);
  const before = await refusalsOf(stage);
  const id = await runDoctor(stage, { ...own, DISCORD_CLIENT_ID: "112233445566778899" });
  expect(id.of("Discord")).toMatchObject([
    { state: "wrong", sentence: expect.stringContaining(`which is ${stage.discordConfig.clientId}`) },
  ]);
  expect(await refusalsOf(stage)).toBe(before);
  const secret = await runDoctor(stage, { ...own, DISCORD_CLIENT_SECRET: "canary" });
  expect(secret.code).toBe(3);
  expect(secret.of("Discord")).toMatchObject([
    { state: "wrong", sentence: expect.stringContaining("Discord refuses DISCORD_CLIENT_SECRET") },
  ]);
  expect(secret.out).not.toContain("canary");
  expect(await refusalsOf(stage)).toBe(before + 1);
  const role = await runDoctor(stage, { ...own, DISCORD_OWNER_ROLE_ID: "112233445566778899" });
  expect(role.of("Discord")).toMatchObject([
    { state: "warning", sentence: expect.stringContaining("The owner role does not exist") },
  ]);
  await stage.atDiscord("application", { redirect_uris: ["https://elsewhere.example/callback"] });
  const redirect = await runDoctor(stage, own);
  expect(redirect.of("Discord")).toMatchObject([
    { state: "wrong", sentence: expect.stringContaining(`${stage.url.origin}/dashboard/discord-callback`) },
  ]);
  // a wrong token is one refusal, and spares the client's
  const token = await runDoctor(stage, { ...own, DISCORD_BOT_TOKEN: "x.y", DISCORD_CLIENT_SECRET: "canary" });
  expect(token.of("Discord")).toHaveLength(1);
  expect(await refusalsOf(stage)).toBe(before + 2);
});

test("the doctor compares the clocks: more than five seconds apart is a warning, more than a minute is wrong", async () => {
  await using stage = await openStage();
  // what is told is the least difference: the longer an answer takes, the less is certain
  stage.advance(30_000);
  const few = await runDoctor(stage);
  expect(few.code).toBe(0);
  expect(few.of("clock")).toMatchObject([
    {
      state: "warning",
      sentence: expect.stringMatching(/^This machine's clock is (2\d|30) seconds behind Stripe's/),
    },
  ]);
  stage.advance(-120_000);
  const many = await runDoctor(stage);
  expect(many.code).toBe(3);
  expect(many.of("clock")).toMatchObject([
    { state: "wrong", sentence: expect.stringMatching(/ (8\d|90|91) seconds ahead of Stripe's/) },
  ]);
  const away = await runDoctor(stage, { STRIPE_API_URL: "http://127.0.0.1:9" });
  expect(away.of("clock")).toEqual([]);
});

test("the doctor reports how the webhook endpoint is set up at Stripe, or that the key may not read it", async () => {
  await using stage = await openStage();
  const url = stage.webhookUrl();
  const state = async (...endpoints: object[]) => {
    await stage.atStripe("webhooks/endpoints", { endpoints });
    return (await runDoctor(stage)).of("webhooks");
  };
  expect(await state({ url })).toMatchObject([{ state: "well", sentence: `Stripe sends them to ${url}.` }]);
  expect(await state({ url: "https://elsewhere.example/api/stripe/webhook" })).toMatchObject([
    { state: "warning", sentence: `Stripe has no endpoint with the address ${url}.` },
  ]);
  expect(await state({ url, status: "disabled" })).toMatchObject([
    { state: "wrong", sentence: expect.stringContaining("is disabled") },
  ]);
  expect(await state({ url }, { url })).toMatchObject([
    { state: "warning", sentence: expect.stringContaining("2 endpoints with the address") },
  ]);
  await stage.atStripe("keys", { key: "rk_test_narrow", lacks: ["webhook_read"] });
  const narrow = await runDoctor(stage, { STRIPE_SECRET_KEY: "rk_test_narrow" });
  expect(narrow.code).toBe(0);
  expect(narrow.of("webhooks")).toMatchObject([
    { state: "unknown", sentence: expect.stringContaining("rak_webhook_read") },
  ]);
});

test("the doctor finds that the last backup is gone or has changed", async () => {
  await using stage = await openStage();
  const folder = join(stage.dataDir, "kept");
  const env = { BACKUP_TO: folder, BACKUP_EVERY: "24" };
  const made = await operateWith({ ...settingsOf(stage), ...env }, "backup", "--json");
  const { path } = JSON.parse(made.out);
  const lastOf = async (more: Record<string, string> = {}) => {
    const { of } = await runDoctor(stage, { ...env, ...more });
    const findings = of("backup").filter(({ sentence }) => /last (one|backup)/.test(sentence));
    expect(findings).toHaveLength(1);
    return findings;
  };
  expect(await lastOf()).toMatchObject([{ state: "well", sentence: expect.stringContaining("was made") }]);
  await appendFile(path, "x");
  expect(await lastOf()).toMatchObject([
    { state: "wrong", sentence: expect.stringContaining("is not as it was made") },
  ]);
  await rm(path);
  expect(await lastOf()).toMatchObject([
    { state: "wrong", sentence: expect.stringContaining(`is gone from ${folder}`) },
  ]);
  // made on another mount, as an operator might
  expect(await lastOf({ BACKUP_TO: join(stage.dataDir, "other") })).toMatchObject([{ state: "warning" }]);
});

test("the doctor finds a folder that can't be created", async () => {
  await using stage = await openStage();
  const folders = (await runDoctor(stage)).of("disk").map(({ sentence }) => sentence);
  expect(folders).toEqual([expect.stringContaining(stage.dataDir), expect.stringContaining(tmpdir())]);
  const file = join(stage.dataDir, "a-file");
  await writeFile(file, "");
  const inFile = await runDoctor(stage, { BACKUP_EVERY: "24", BACKUP_TO: join(file, "backups") });
  expect(inFile.code).toBe(3);
  expect(inFile.of("disk")).toContainEqual({
    what: "disk",
    state: "wrong",
    sentence: `The folder ${join(file, "backups")} can't be used: it is not a folder.`,
  });
});

test.skipIf(!mayMount)(
  "the doctor finds a full disk and a nearly full one, on disks of its own",
  async () => {
    await using stage = await openStage();
    const backups = join(stage.dataDir, "backups");
    await mkdir(backups);
    /** What the doctor finds where backups go to a disk of eight megabytes. */
    const doctor = async (fill: string) => {
      const own = { PATH: process.env["PATH"] ?? "", BACKUP_EVERY: "24", BACKUP_TO: backups };
      const script = `mount -t tmpfs -o size=8m latchkey "$BACKUP_TO"; ${fill}; exec "$0" "$@"`;
      const command = [process.execPath, "src/operator/main.ts", "doctor", "--json"];
      const child = Bun.spawn([...withOwnMounts, script, ...command], {
        env: { ...settingsOf(stage), ...own },
      });
      const findings: Finding[] = JSON.parse(await new Response(child.stdout).text());
      return findings.filter(({ what, sentence }) => what === "disk" && sentence.includes(backups));
    };
    expect(await doctor("true")).toMatchObject([
      { state: "warning", sentence: `Only 8 MiB are free in ${backups}: keep at least 1.0 GiB.` },
    ]);
    expect(await doctor('head -c 9M /dev/zero > "$BACKUP_TO/fill" 2> /dev/null || true')).toMatchObject([
      { state: "wrong", sentence: `The folder ${backups} can't be used: its disk is full.` },
    ]);
  },
);

test("the doctor names the files of offered releases that are gone or cut short, and of no others", async () => {
  await using stage = await openStage();
  for (const version of ["1.0.0", "2.0.0", "3.0.0"]) await release(stage, version, { only: ["mac_dmg"] });
  await release(stage, "4.0.0-beta.1", { channel: "beta", only: ["win_exe"] });
  const fileOf = (platform: Platform, version: string) => {
    const address = new Bun.CryptoHasher("sha256").update(bytesOf(platform, version)).digest("hex");
    return join(stage.dataDir, "builds", address);
  };
  expect((await runDoctor(stage)).of("builds")).toEqual([]);
  await rm(fileOf("mac_dmg", "1.0.0"));
  expect((await runDoctor(stage)).of("builds")).toEqual([]);
  await rm(fileOf("mac_dmg", "3.0.0"));
  await writeFile(fileOf("win_exe", "4.0.0-beta.1"), "half");
  const { code, of } = await runDoctor(stage);
  expect(code).toBe(3);
  expect(of("builds")).toMatchObject([
    {
      state: "wrong",
      sentence: expect.stringMatching(
        /^Customers can't download Wisp\.dmg of 3\.0\.0, Wisp-Setup\.exe of 4\.0\.0-beta\.1: .*builds doesn't have/,
      ),
    },
  ]);
});

test("the doctor asks the bucket of builds, fetches nothing, and finds what it lacks", async () => {
  await using bucket = startBucket();
  await using stage = await openStage();
  const env = { ...bucket.env, BUILDS_URL: "s3://builds/wisp" };
  expect((await runDoctor(stage, env)).of("builds")).toMatchObject([{ state: "well" }]);
  const refused = await runDoctor(stage, { ...env, AWS_ACCESS_KEY_ID: "another" });
  expect(refused.of("builds")).toMatchObject([{ state: "wrong" }]);
  expect(refused.code).toBe(3);
  // a copy on this machine may be deleted at any time
  await release(stage, "1.0.0", { only: ["mac_dmg"] });
  expect((await runDoctor(stage, env)).of("builds")).toMatchObject([
    { state: "wrong", sentence: expect.stringContaining("Wisp.dmg of 1.0.0: the bucket of BUILDS_URL") },
  ]);
});

test("a check that fails or never answers is reported, and holds up no other check", async () => {
  expect(await inTime("mail", 20, () => new Promise(() => {}))).toEqual([
    {
      what: "mail",
      state: "wrong",
      sentence: "It can't be checked: there was no answer within 0.02 seconds.",
    },
  ]);
  const broken = () => Promise.reject(new TypeError("canary"));
  expect(await inTime("mail", 1_000, broken)).toEqual([
    { what: "mail", state: "wrong", sentence: "It can't be checked: TypeError." },
  ]);
});

test("a command names the part of the database that is unreachable", async () => {
  await using stage = await openStage();
  const env = { ...settingsOf(stage), DATABASE_URL: "http://127.0.0.1:9" };
  const { err, code } = await operateWith(env, "doctor");
  expect(code).toBe(1);
  expect(err).toBe(
    "The database can't be used: the server can't be reached. Nothing was changed; try again.\n",
  );
});
