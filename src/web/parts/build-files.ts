import {
  type CommonPlatform,
  downloads,
  isArm,
  type PaidPlatform,
  paidPlatforms,
  type System,
} from "@/contract/vocabulary/builds";
import type { CurrentRelease, FileSizes } from "@/contract/wire/releases";

const names: Record<CommonPlatform, string> = {
  win_exe: "Installer (.exe)",
  win_zip: "Portable (.zip)",
  console_win_zip: "Console (.zip)",
  linux_appimage: "AppImage",
  linux_deb: "Debian, Ubuntu (.deb)",
  linux_rpm: "Fedora, SUSE (.rpm)",
  console_linux_zip: "Console (.zip)",
  mac_dmg: "Disk image (.dmg)",
  mac_zip: "Archive (.zip)",
};

/** `Installer (.exe)`, `Disk image (.dmg), Apple silicon`. */
export function fileName(platform: PaidPlatform): string {
  const name = names[platform.replace(/_arm64$/, "") as CommonPlatform];
  if (!isArm(platform)) return name;
  return `${name}, ${downloads[platform].system === "mac" ? "Apple silicon" : "ARM"}`;
}

export const systemNames: Record<System, string> = { windows: "Windows", mac: "Mac", linux: "Linux" };

type KnownFiles = { sizes: FileSizes | undefined; release?: CurrentRelease | null | undefined };

/** A system's files in the current release; while nothing is known of it, those for x64. */
export const filesOf = (system: System, { sizes, release }: KnownFiles) =>
  paidPlatforms.filter((name) => {
    if (downloads[name].system !== system) return false;
    if (sizes) return typeof sizes[name] === "number";
    return release === undefined ? !isArm(name) : Boolean(release?.builds[name]);
  });

const units = ["bytes", "KB", "MB", "GB"] as const;

/** `82.4 MB` or `624 KB`, in decimal units as file managers on Mac and Linux show them. */
export function writeSize(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1_000 ** power;
  return `${Number(value.toFixed(1))} ${units[power]}`;
}
