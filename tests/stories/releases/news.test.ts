import { brand } from "@/brand/brand";
import { operator } from "@/core/base/actor";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { createPosts } from "@bot/discord/posts";
import { newsOf, releaseNews } from "@bot/release-news";
import { REST } from "discord.js";
import { jobOf } from "@/core/jobs/outbox";
import { botTopics } from "@/domain/outbox-topics";
import { yank } from "@/domain/releases/publish";
import { waitForBot } from "../../support/people/discord";
import { release } from "../../support/shop/publish-release";
import { operated, operateWith, settingsOf } from "../../support/operator/run-operator";
import { eventually, openStage, type Stage } from "../../support/shop/stage";

/** A shop whose news goes into the simulator's general channel. */
async function shopWithNews() {
  const stage = await openStage({ discord: true });
  const { generalChannelId } = stage.discord;
  await stage.restart({ discord: { newsChannelId: generalChannelId } });
  await waitForBot(stage);
  return { stage, channelId: generalChannelId };
}

// oxlint-disable-next-line typescript/no-explicit-any -- a test may read any field
const newsIn = async (stage: Stage, channelId: string): Promise<any[]> =>
  (await stage.atDiscord(`channels/${channelId}/messages`)).messages;

const noneWaits = (stage: Stage) =>
  eventually(
    async () =>
      (await stage.ctx.store.client.execute("SELECT count(*) AS n FROM outbox WHERE topic = 'news.release'"))
        .rows[0]?.["n"],
    (left) => left === 0,
  );

test("the notes of a release are posted once in the news channel, and mention nobody", async () => {
  const { stage, channelId } = await shopWithNews();
  await using _ = stage;
  await release(stage, "1.0.0", { only: ["free"], content: "Quiet." });
  await release(stage, "1.1.0", {
    only: ["free"],
    title: "Spring",
    content: "Hello @everyone!",
    postNotes: true,
  });
  await noneWaits(stage);
  const posted = await newsIn(stage, channelId);
  expect(posted).toHaveLength(1);
  expect(posted[0].content).toContain("1.1.0: Spring**\n\nHello @everyone!");
  expect(posted[0].mention_everyone).toBe(false);
});

test("a release withdrawn before the bot connected is not posted", async () => {
  await using stage = await openStage();
  const id = await release(stage, "1.0.0", { only: ["free"], postNotes: true });
  await yank(stage.ctx, "1.0.0", { actor: operator, reason: "a story" });
  const job = await jobOf(stage.ctx, botTopics.postReleaseNews, id);
  if (!job) throw new Error("the job waits for a bot");
  // nothing listens there
  const rest = new REST({ api: "http://127.0.0.1:1" }).setToken("none");
  const news = {
    posts: createPosts(rest),
    channelId: "1",
    publicUrl: stage.url,
    stop: new AbortController().signal,
  };
  const handler = releaseNews(stage.ctx, news).postReleaseNews;
  expect(await handler({ ...job, payload: null })).toEqual([]);
});

test("long notes are truncated to fit one message", () => {
  const url = new URL("https://shop.example/");
  const text = newsOf({ version: "1.0.0", title: "Long", content: "😀".repeat(2_000) }, url);
  expect(text.length).toBeLessThanOrEqual(2_000);
  expect(text).toEndWith("…\n\nhttps://shop.example/dashboard");
  expect(text.isWellFormed()).toBe(true);
});

test("a release without notes is posted by its name alone", () => {
  const name = `${brand.product} 1.0.0`;
  const text = newsOf({ version: "1.0.0", title: name, content: "" }, new URL("https://shop.example/"));
  expect(text).toBe(`**${name}**\n\nhttps://shop.example/dashboard`);
});

test("--tell needs Discord and its channel, and says so before anything is published", async () => {
  await using stage = await openStage();
  const publishing = ["--title", "A", "--content", "B", "--tell"];
  const publish = ["releases", "publish", "1.0.0", await buildFolder(stage), ...publishing];
  const own = settingsOf(stage);
  const off = await operateWith(own, ...publish);
  expect(off).toMatchObject({ code: 1, err: expect.stringContaining("The setting DISCORD is off") });
  const discord = Object.fromEntries(
    [
      "CLIENT_ID",
      "GUILD_ID",
      "PREMIUM_ROLE_ID",
      "SUPPORT_ROLE_ID",
      "SUPPORT_CHANNEL_ID",
      "STAFF_CHANNEL_ID",
    ].map((name) => [`DISCORD_${name}`, "123456789012345678"]),
  );
  const on = { ...own, DISCORD: "", DISCORD_BOT_TOKEN: "token", DISCORD_CLIENT_SECRET: "secret", ...discord };
  const missing = await operateWith(on, ...publish);
  expect(missing).toMatchObject({
    code: 1,
    err: expect.stringContaining("DISCORD_NEWS_CHANNEL_ID is missing"),
  });
  expect(await operated(stage, "releases", "list")).toEqual([]);
  const published = await operateWith({ ...on, DISCORD_NEWS_CHANNEL_ID: "123456789012345678" }, ...publish);
  expect(published).toMatchObject({ code: 0 });
  const { rows } = await stage.ctx.store.client.execute(
    "SELECT topic FROM outbox WHERE topic = 'news.release'",
  );
  expect(rows).toHaveLength(1);
});

async function buildFolder(stage: Stage): Promise<string> {
  const folder = join(stage.dataDir, "release");
  await Bun.write(join(folder, "Wisp-Free.exe"), "a build");
  return folder;
}
