import type { Platform } from "@/contract/builds";

const isZip = /\.zip$/i;
const isConsole = /\bconsole\b/i;
const isWindows = /\bwin/i;

/** The first kind whose patterns all match decides a file's platform. No pattern has a gap, which would be slow. */
const kinds: [RegExp[], Platform][] = [
  [[/\brpc\b|rich-?presence/i], "rpc"],
  [[/\bfree\b/i], "free"],
  [[isZip, isConsole, isWindows], "console_win_zip"],
  [[isZip, isConsole, /\blinux\b/i], "console_linux_zip"],
  [[/\.exe$/i], "win_exe"],
  [[/\.dmg$/i], "mac_dmg"],
  [[/\.appimage$/i], "linux_appimage"],
  [[/\.deb$/i], "linux_deb"],
  [[/\.rpm$/i], "linux_rpm"],
  [[isZip, /\b(mac|darwin|osx)/i], "mac_zip"],
  [[isZip, isWindows], "win_zip"],
];

/** The platform of a build, from its file name, or null. */
export function platformOf(name: string): Platform | null {
  const plain = name.replaceAll("_", "-");
  return kinds.find(([patterns]) => patterns.every((pattern) => pattern.test(plain)))?.[1] ?? null;
}
