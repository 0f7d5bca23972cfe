import { downloads, type PaidPlatform, paidPlatforms, type System } from "@/contract/builds";

/** Each file's display name. */
export const fileNames: Record<PaidPlatform, string> = {
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

export const systemNames: Record<System, string> = { windows: "Windows", mac: "Mac", linux: "Linux" };

export const filesOf = (system: System) => paidPlatforms.filter((name) => downloads[name].system === system);

const units = ["bytes", "KB", "MB", "GB"] as const;

/** `82.4 MB`, in decimal units as file managers on Mac and Linux show them. */
export function writeSize(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1_000 ** power;
  return `${value.toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}
