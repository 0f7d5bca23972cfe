import { operator } from "@/core/base/actor";
import type { Platform } from "@/contract/vocabulary/builds";
import { type NewRelease, publish } from "@/domain/releases/publish";
import type { Stage } from "./stage";

/** A file name that fits each platform. */
const names: Record<Platform, string> = {
  win_exe: "Wisp-Setup.exe",
  win_zip: "Wisp-win.zip",
  console_win_zip: "Wisp-console-win.zip",
  linux_appimage: "Wisp.AppImage",
  linux_deb: "wisp.deb",
  linux_rpm: "wisp.rpm",
  console_linux_zip: "Wisp-console-linux.zip",
  mac_dmg: "Wisp.dmg",
  mac_zip: "Wisp-mac.zip",
  win_exe_arm64: "Wisp-Setup-arm64.exe",
  win_zip_arm64: "Wisp-arm64-win.zip",
  console_win_zip_arm64: "Wisp-console-arm64-win.zip",
  linux_appimage_arm64: "Wisp-arm64.AppImage",
  linux_deb_arm64: "wisp_arm64.deb",
  linux_rpm_arm64: "wisp.aarch64.rpm",
  console_linux_zip_arm64: "Wisp-console-arm64-linux.zip",
  mac_dmg_arm64: "Wisp-arm64.dmg",
  mac_zip_arm64: "Wisp-arm64-mac.zip",
  free: "Wisp-Free.exe",
  rpc: "Wisp-RPC.exe",
};

/** A published build's content, by which a story recognises it. */
export const bytesOf = (platform: Platform, version: string) => `${platform} of ${version}\n`.repeat(20);

/** Publishes small builds for every platform, or for those given, as the operator would. */
export const release = (
  stage: Stage,
  version: string,
  wanted: Partial<NewRelease> & { only?: Platform[] } = {},
) => {
  const { only = Object.keys(names) as Platform[], ...rest } = wanted;
  const builds = only.map((platform) => ({
    platform,
    name: names[platform],
    file: new Blob([bytesOf(platform, version)]),
  }));
  return publish(
    stage.ctx,
    stage.shop.builds,
    { version, channel: "latest", title: `Version ${version}`, content: "It is better.", builds, ...rest },
    { actor: operator, reason: "a story" },
  );
};
