import { expect, test } from "bun:test";
import { operateWith, settingsOf } from "../run-operator";
import { openStage, type Stage } from "../stage";

type Finding = { what: string; state: string; sentence: string };

/** What the doctor finds, and its exit code. */
async function examined(stage: Stage, env: Record<string, string> = {}) {
  const { out, err, code } = await operateWith({ ...settingsOf(stage), ...env }, "doctor", "--json");
  if (out === "") throw new Error(err);
  const findings: Finding[] = JSON.parse(out);
  const of = (what: string) => findings.filter((finding) => finding.what === what);
  return { code, of, out };
}

const discordOf = (stage: Stage) => ({
  DISCORD: "",
  DISCORD_BOT_TOKEN: stage.discordConfig.botToken,
  DISCORD_CLIENT_ID: stage.discordConfig.clientId,
  DISCORD_CLIENT_SECRET: stage.discordConfig.clientSecret,
  DISCORD_GUILD_ID: stage.discordConfig.guildId,
  DISCORD_PREMIUM_ROLE_ID: stage.discordConfig.premiumRoleId,
  DISCORD_SUPPORT_ROLE_ID: stage.discordConfig.supportRoleId,
  DISCORD_SUPPORT_CHANNEL_ID: stage.discordConfig.supportChannelId,
  DISCORD_STAFF_CHANNEL_ID: stage.discordConfig.staffChannelId,
  DISCORD_API_URL: stage.discordConfig.apiUrl?.href ?? "",
});

test("the doctor reports no problems if Stripe, mail and Discord answer", async () => {
  await using stage = await openStage({ discord: true });
  const { code, of } = await examined(stage, discordOf(stage));
  expect(code).toBe(0);
  for (const what of ["database", "outbox", "Stripe", "mail", "Discord"]) {
    expect(of(what)).toMatchObject([{ state: "well" }]);
  }
  expect(of("backup")).toMatchObject([{ state: "warning" }]);
});

test("the doctor names what is unreachable or refuses, exits with 3, and reveals no secret", async () => {
  await using stage = await openStage();
  const env = {
    STRIPE_SECRET_KEY: "sk_test_canary_of_stripe",
    SMTP_URL: "smtp://canary-login:canary-password@127.0.0.1:9",
  };
  const { code, of, out } = await examined(stage, env);
  expect(code).toBe(3);
  expect(of("Stripe")).toMatchObject([{ state: "wrong" }]);
  expect(of("mail")).toMatchObject([{ state: "wrong" }]);
  expect(out).not.toContain("canary");
  const away = await examined(stage, { STRIPE_API_URL: "http://127.0.0.1:9" });
  expect(away.of("Stripe")).toMatchObject([{ state: "wrong", sentence: "Stripe can't be reached." }]);
});

test("the doctor finds the sample brand in production, and nowhere else", async () => {
  await using stage = await openStage();
  expect((await examined(stage)).of("brand")).toEqual([]);
  const { of } = await examined(stage, { NODE_ENV: "production", PUBLIC_URL: "https://shop.example.com" });
  expect(of("brand")).toMatchObject([
    { state: "warning", sentence: expect.stringContaining("src/brand/brand.ts, src/brand/legal/") },
  ]);
});

test("the doctor reports a bot whose token is refused", async () => {
  await using stage = await openStage({ discord: true });
  const { code, of } = await examined(stage, { ...discordOf(stage), DISCORD_BOT_TOKEN: "canary.token" });
  expect(code).toBe(3);
  expect(of("Discord")).toMatchObject([{ state: "wrong", sentence: "Discord refuses the bot's token." }]);
});

test("the doctor gives the invitation URL for a bot that is not in the server", async () => {
  await using stage = await openStage({ discord: true });
  await stage.atDiscord("bot", { in_server: false });
  const { code, of } = await examined(stage, discordOf(stage));
  expect(code).toBe(3);
  const address = `https://discord.com/oauth2/authorize?client_id=${stage.discordConfig.clientId}&`;
  expect(of("Discord")).toMatchObject([{ state: "wrong", sentence: expect.stringContaining(address) }]);
});

test("a command names what of the database is away", async () => {
  await using stage = await openStage();
  const env = { ...settingsOf(stage), DATABASE_URL: "http://127.0.0.1:9" };
  const { err, code } = await operateWith(env, "doctor");
  expect(code).toBe(1);
  expect(err).toBe(
    "The database can't be used: the server can't be reached. Nothing was changed; try again.\n",
  );
});
