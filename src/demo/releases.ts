import { operator } from "@/core/base/actor";
import { brand } from "@/brand/brand";
import type { Platform } from "@/contract/vocabulary/builds";
import { day } from "@/contract/vocabulary/time";
import type { Ctx } from "@/core/database/context";
import { publish } from "@/domain/releases/publish";
import type { BuildStore } from "@/domain/releases/store";
import { releases } from "@/domain/schema/releases";

/** The releases of the demo's application, oldest first. Of the early ones only one file is left. */
const history = [
  {
    version: "1.0.0",
    daysAgo: 361,
    title: "The first release",
    content: "Everything that the beta had.\nFixed: it asked for the key twice.",
  },
  {
    version: "1.0.1",
    daysAgo: 352,
    title: "Bug fixes",
    content: "Fixed: the window opened off the screen.",
  },
  {
    version: "1.1.0",
    daysAgo: 318,
    title: "Music",
    content: "A music player.\nCommands can be bound to keys.",
  },
  {
    version: "1.2.0",
    daysAgo: 279,
    title: "Custom commands",
    content: "Your own commands, with arguments.\nFixed: a backup could not be restored on another drive.",
  },
  {
    version: "1.2.1",
    daysAgo: 271,
    title: "Bug fixes",
    content: "Fixed: custom commands lost their order.",
  },
  {
    version: "1.3.0",
    daysAgo: 232,
    title: "Backups",
    content: "Backups of servers.\nThe raid manager has a list of exceptions.",
  },
  { version: "1.4.0", daysAgo: 190, title: "Quieter", content: "Messages while away sound more natural." },
  {
    version: "1.5.0",
    daysAgo: 152,
    title: "Sharing",
    content: "Share the application with a friend.\nStarts faster.",
  },
  { version: "1.5.1", daysAgo: 139, title: "Bug fixes", content: "Fixed: sharing stopped after a day." },
  {
    version: "2.0.0",
    daysAgo: 96,
    title: "A new interface",
    content: "The whole application has a new look.\nBackups can be made on a schedule.",
  },
  {
    version: "2.1.0",
    daysAgo: 31,
    title: "Linux and macOS",
    content: "Every feature now runs on Windows, Mac and Linux.\nFixed: the tray icon came back twice.",
  },
  {
    version: "2.1.1",
    daysAgo: 3,
    title: "Bug fixes",
    content: "Fixed: the music player forgot its volume.\nFixed: long notifications were cut off.",
  },
] as const;

const app = brand.shortName.replaceAll(/[^A-Za-z0-9]/g, "");

const files: Partial<Record<Platform, (version: string) => string>> = {
  win_exe: (version) => `${app}-Setup-${version}.exe`,
  win_zip: (version) => `${app}-${version}-win.zip`,
  console_win_zip: (version) => `${app}-console-${version}-win.zip`,
  linux_appimage: (version) => `${app}-${version}.AppImage`,
  linux_deb: (version) => `${app.toLowerCase()}_${version}_amd64.deb`,
  linux_rpm: (version) => `${app.toLowerCase()}-${version}.x86_64.rpm`,
  console_linux_zip: (version) => `${app}-console-${version}-linux.zip`,
  mac_dmg: (version) => `${app}-${version}.dmg`,
  mac_zip: (version) => `${app}-${version}-mac.zip`,
  free: (version) => `${app}-Free-${version}.exe`,
  rpc: (version) => `${app}-Rich-Presence-${version}.exe`,
  mac_dmg_arm64: (version) => `${app}-${version}-arm64.dmg`,
  mac_zip_arm64: (version) => `${app}-${version}-arm64-mac.zip`,
};

/** Publishes the demo's missing releases, each at its time, with small files that describe themselves. */
export async function publishDemoReleases(ctx: Ctx, store: BuildStore, goOn: () => void): Promise<void> {
  const published = await ctx.store.db.select({ version: releases.version }).from(releases);
  for (const { version, daysAgo, title, content } of history) {
    goOn();
    if (published.some((one) => one.version === version)) continue;
    const at = new Date(ctx.now().getTime() - daysAgo * day);
    await publish(
      { ...ctx, now: () => at },
      store,
      {
        version,
        channel: "latest",
        title,
        content,
        builds: buildsOf(version).slice(0, isEarly(version) ? 1 : undefined),
      },
      { actor: operator, reason: "the demo's first start" },
    );
  }
}

const isEarly = (version: string) => version.startsWith("1.");

const buildsOf = (version: string) =>
  Object.entries(files).map(([platform, named], at) => {
    const name = named(version);
    const line = `This is ${name}, which stands in for the application in the demo.\n`;
    return { platform: platform as Platform, name, file: new Blob([line.repeat(2_000 * (at + 1))]) };
  });
