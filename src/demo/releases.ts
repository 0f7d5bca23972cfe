import { operator } from "@/core/actor";
import { brand } from "@/brand/brand";
import type { Platform } from "@/contract/builds";
import { day } from "@/contract/time";
import type { Ctx } from "@/core/context";
import { publish } from "@/domain/releases/publish";
import type { BuildStore } from "@/domain/releases/store";
import { releases } from "@/domain/schema/releases";

/** The releases of the demo's application, oldest first. */
const history = [
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
    title: "Small repairs",
    content: "Fixed: the music player forgot its volume.\nFixed: long notifications were cut off.",
  },
] as const;

const app = brand.shortName.replaceAll(/[^A-Za-z0-9]/g, "");

const files: Record<Platform, (version: string) => string> = {
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
      { version, channel: "latest", title, content, builds: buildsOf(version) },
      { actor: operator, reason: "the demo's first start" },
    );
  }
}

const buildsOf = (version: string) =>
  (Object.keys(files) as Platform[]).map((platform, at) => {
    const name = files[platform](version);
    const line = `This is ${name}, which stands in for the application in the demo.\n`;
    return { platform, name, file: new Blob([line.repeat(2_000 * (at + 1))]) };
  });
