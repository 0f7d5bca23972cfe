import type { Platform } from "@/contract/builds";

/** The first match decides a file's platform. */
const kinds: [RegExp, Platform][] = [
  [/\brpc\b|rich-?presence/i, "rpc"],
  [/\bfree\b/i, "free"],
  [/\bconsole\b.*\bwin.*\.zip$|\bwin.*\bconsole\b.*\.zip$/i, "console_win_zip"],
  [/\bconsole\b.*\blinux\b.*\.zip$|\blinux\b.*\bconsole\b.*\.zip$/i, "console_linux_zip"],
  [/\.exe$/i, "win_exe"],
  [/\.dmg$/i, "mac_dmg"],
  [/\.appimage$/i, "linux_appimage"],
  [/\.deb$/i, "linux_deb"],
  [/\.rpm$/i, "linux_rpm"],
  [/\b(mac|darwin|osx).*\.zip$/i, "mac_zip"],
  [/\bwin.*\.zip$/i, "win_zip"],
];

/** The platform of a build, from its file name, or null. */
export const platformOf = (name: string): Platform | null =>
  kinds.find(([pattern]) => pattern.test(name.replaceAll("_", "-")))?.[1] ?? null;
