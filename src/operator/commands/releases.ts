import { existsSync } from "node:fs";
import { join } from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import { brand } from "@/brand/brand";
import { rollOutRelease } from "@/contract/operations/products";
import { type Channel, channels, type Platform, platforms } from "@/contract/vocabulary/builds";
import { type Config, ConfigError } from "@/core/settings/config";
import { diskCodes, inFolder } from "@/core/database/disk-fault";
import { Refusal } from "@/core/base/refusal";
import { releaseOperations } from "@/domain/operations/products";
import { releasesFor } from "@/domain/releases/current";
import { newsChannelProblem } from "@/domain/releases/news-channel";
import { publish } from "@/domain/releases/publish";
import { publicKeyFromPem } from "@/domain/releases/signatures";
import { withShop, byOperator, print, withOptionalReason, withJson } from "../terminal/command-line";
import { buildsIn } from "../files/builds-in-folder";
import { readerOf } from "../terminal/arguments";
import { addOperation } from "../terminal/operation-command";
import { progressBar } from "../terminal/progress";
import { stamp, table } from "../terminal/table";

type PublishOptions = {
  channel: Channel;
  notes?: string;
  title?: string;
  content?: string;
  rollout: number;
  minimum?: string;
  keep: Platform[];
  publicKey?: string;
  tell?: boolean;
  reason?: string;
  json?: boolean;
};

/** `shop releases …` */
export function releaseCommand(): Command {
  const noun = new Command("releases").description("versions of the application");
  withOptionalReason(
    noun.command("publish <version> <folder>"),
    'releases publish 1.2.0 release/ --tell --reason "the spring release"',
    'releases publish 1.3.0-beta.1 release/ --channel beta --rollout 10 --reason "a first look"',
  )
    .description("publish the builds in a folder, with the release notes of its notes.md if it has one")
    .addOption(new Option("--channel <name>", "the update channel").choices([...channels]).default("latest"))
    .option("--notes <file>", "Markdown; its first heading is the title (default: notes.md in the folder)")
    .option("--title <text>", "instead of the notes' heading")
    .option("--content <text>", "instead of the notes' text")
    .option("--rollout <percent>", "the percentage of devices that are offered the update", percentage, 100)
    .option("--minimum <version>", "applications older than this version must update")
    .option("--keep <platforms>", "builds to keep from the current release", listOfPlatforms, [])
    .option(
      "--public-key <file>",
      "public key (PEM) that verifies every build's signature (default: the shop signs)",
    )
    .option("--tell", "the bot posts the notes in DISCORD_NEWS_CHANNEL_ID, once")
    .action(publishFolder);
  addOperation(noun, releaseOperations.yankRelease, {
    description: "withdraw a release; the previous one becomes current again",
    examples: ['releases yank 1.2.0 --reason "crashes on start"'],
    subject: { about: "the version" },
    output: ({ subject: version }) => ({ data: { version }, sentence: `${version} was withdrawn.` }),
  });
  addOperation(noun, releaseOperations.rollOutRelease, {
    description: "change the percentage of devices that are offered a release",
    examples: ['releases rollout 1.2.0 50 --reason "no complaints so far"'],
    subject: { about: "the version" },
    fields: { rollout: { flags: "<percent>", about: "from 0 to 100" } },
    output: ({ subject: version, given: { rollout } }) => ({
      data: { version, rollout },
      sentence: `${version} is offered to ${rollout}% of devices.`,
    }),
  });
  withJson(noun.command("list"), "releases list")
    .description("the published releases, newest first")
    .action(({ json }: { json?: boolean }) => withShop(({ ctx }) => list(ctx, json)));
  return noun;
}

async function publishFolder(version: string, folder: string, options: PublishOptions): Promise<void> {
  const { channel, rollout, minimum, keep, reason, json } = options;
  const { builds, passedOver } = await buildsIn(folder);
  if (builds.length === 0 && passedOver.length > 0) {
    throw new ConfigError(
      `${folder} has no build, only ${passedOver.join(", ")}: docs/application-api.md says by which names builds are told.`,
    );
  }
  const notes = await readNotes(version, folder, options);
  const publicKey = options.publicKey ? await readKey(options.publicKey) : undefined;
  await withShop(async (shop) => {
    if (options.tell) expectNewsChannel(shop.config);
    const bar = progressBar("Storing the builds", json);
    const wanted = { version, channel, rollout, keep, builds, ...notes };
    const release = {
      ...wanted,
      ...(minimum ? { minimumVersion: minimum } : {}),
      ...(publicKey ? { publicKey } : {}),
      postNotes: options.tell ?? false,
      onProgress: bar.at,
    };
    const store = () => publish(shop.ctx, shop.builds, release, byOperator(reason));
    const { builds: place } = shop.config;
    const id = await ("folder" in place ? inFolder(place.folder, store, diskCodes) : store()).finally(
      bar.end,
    );
    const names = [...builds.map((build) => build.platform), ...keep];
    const others = passedOver.length > 0 ? `\nPassed over, as no builds: ${passedOver.join(", ")}.` : "";
    const said = `${version} is published: ${names.join(", ")}.${others}`;
    print(json, { id, version, channel, builds: names, passed_over: passedOver }, said);
  });
}

function expectNewsChannel(config: Config): void {
  const lack = newsChannelProblem(config);
  if (lack !== null) throw new ConfigError(lack);
}

/** The first heading of the notes is the title, otherwise the product and version; the rest is the text. */
async function readNotes(version: string, folder: string, { notes, title, content }: PublishOptions) {
  const path = notes ?? join(folder, "notes.md");
  const isThere = notes !== undefined || existsSync(path);
  const text = isThere ? await textOf(path) : "";
  const [first = "", ...rest] = text.trim().split("\n");
  const heading = first.replace(/^#+\s*/, "");
  return {
    title: title ?? (heading || `${brand.product} ${version}`),
    content: content ?? rest.join("\n").trim(),
  };
}

const textOf = (path: string): Promise<string> =>
  Bun.file(path)
    .text()
    .catch(() => {
      throw new Refusal("release_invalid", { sentence: `The notes ${path} can't be read.` });
    });

async function readKey(path: string) {
  try {
    return publicKeyFromPem(await Bun.file(path).text());
  } catch {
    throw new Refusal("release_invalid", { sentence: `${path} is not a public key in PEM.` });
  }
}

async function list(ctx: Parameters<typeof releasesFor>[0], json: boolean | undefined): Promise<void> {
  const all = await releasesFor(ctx, "alpha");
  const rows = all.map(({ version, channel, publishedAt, rollout, title }) => ({
    version,
    channel,
    published_at: publishedAt.toISOString(),
    rollout,
    title,
  }));
  const lines = all.map(({ version, channel, rollout, publishedAt, title }) => [
    version,
    channel,
    `${rollout}%`,
    stamp(publishedAt),
    title,
  ]);
  const heading = ["version", "channel", "rollout", "published", "title"];
  print(json, rows, lines.length > 0 ? table(heading, lines) : "Nothing has been published.");
}

const percentage = readerOf(rollOutRelease.fields.rollout);

const listOfPlatforms = (text: string): Platform[] =>
  text.split(",").map((name) => {
    const platform = platforms.find((one) => one === name.trim());
    if (!platform) throw new InvalidArgumentError(`They must be among ${platforms.join(", ")}.`);
    return platform;
  });
