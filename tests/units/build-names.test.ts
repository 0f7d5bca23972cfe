import { expect, test } from "bun:test";
import { buildName, platformOf } from "@/contract/vocabulary/build-names";

/** What electron-builder 26 writes for a product with a blank in its name, https://www.electron.build/configuration */
const written: Record<string, string | null> = {
  "My App Setup 2.0.0.exe": "win_exe",
  "My App Setup 2.0.0-arm64.exe": "win_exe_arm64",
  "My App-2.0.0-win.zip": "win_zip",
  "My App-2.0.0-arm64-win.zip": "win_zip_arm64",
  "My App-2.0.0.dmg": "mac_dmg",
  "My App-2.0.0-arm64.dmg": "mac_dmg_arm64",
  "My App-2.0.0-universal.dmg": "mac_dmg",
  "My App-2.0.0-mac.zip": "mac_zip",
  "My App-2.0.0-arm64-mac.zip": "mac_zip_arm64",
  "My App-2.0.0.AppImage": "linux_appimage",
  "My App-2.0.0-arm64.AppImage": "linux_appimage_arm64",
  "my-app_2.0.0_amd64.deb": "linux_deb",
  "my-app_2.0.0_arm64.deb": "linux_deb_arm64",
  "my-app-2.0.0.x86_64.rpm": "linux_rpm",
  "my-app-2.0.0.aarch64.rpm": "linux_rpm_arm64",
  // for computers of 32 bits
  "My App-2.0.0-ia32-win.zip": null,
  "My App-2.0.0-armv7l.AppImage": null,
  "My App-2.0.0-i386.AppImage": null,
  "my-app_2.0.0_armhf.deb": null,
  "my-app_2.0.0_i386.deb": null,
  "my-app-2.0.0.i686.rpm": null,
  // no builds
  "My App Setup 2.0.0.exe.blockmap": null,
  "My App-2.0.0-arm64-mac.zip.blockmap": null,
  "my-app_2.0.0_amd64.snap": null,
  "My App-2.0.0-win.7z": null,
  "my-app-2.0.0.tar.gz": null,
  "My App 2.0.0.msi": null,
  "My Free App Setup 2.0.0.exe.blockmap": null,
  "my-free-app_2.0.0_amd64.snap": null,
  "latest.yml": null,
  "latest-linux-arm64.yml": null,
  "builder-debug.yml": null,
  "builder-effective-config.yaml": null,
  RELEASES: null,
};

test("every file that electron-builder writes has its kind, by system and architecture, or none", () => {
  const read = Object.keys(written).map((name) => [name, platformOf(name) as string | null]);
  expect(Object.fromEntries(read)).toEqual(written);
});

test("the kinds of our own have their architecture too", () => {
  expect(platformOf("Wisp-console-2.0.0-win-arm64.zip")).toBe("console_win_zip_arm64");
  expect(platformOf("Wisp_console_2.0.0_linux_aarch64.zip")).toBe("console_linux_zip_arm64");
  expect(platformOf("Wisp-Setup-x86_64.exe")).toBe("win_exe");
  expect(platformOf("Wisp-Setup-x64.exe")).toBe("win_exe");
  expect(platformOf("Wisp-Free-arm64.exe")).toBe("free");
  expect(platformOf("Wisp-Rich-Presence.exe")).toBe("rpc");
});

test("a build's blanks become dashes, as in the addresses that electron-builder writes", () => {
  expect(buildName("My App Setup 2.0.0.exe")).toBe("My-App-Setup-2.0.0.exe");
  expect(buildName(" My  App\u00A0x.dmg ")).toBe("My-App-x.dmg");
});
