import { armOf, type CommonPlatform, type Platform } from "./builds";

const isZip = /\.zip$/i;
const isConsole = /\bconsole\b/i;
const isWindows = /\bwin/i;
const isArm64 = /arm64|aarch64/i;
const is32Bit = /\b(ia32|i[3-6]86|x86(?!-64)|armv7l?|armhf|arm32)\b/i;

const isProgram = /\.(exe|msi|zip|dmg|appimage|deb|rpm)$/i;

/** Builds that anyone may download, whatever their format. */
const free: [RegExp, Platform][] = [
  [/\brpc\b|rich-?presence/i, "rpc"],
  [/\bfree\b/i, "free"],
];

/** The first kind whose patterns all match decides a file's platform. No pattern has a gap, which would be slow. */
const kinds: [RegExp[], CommonPlatform][] = [
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

/** What a build is, by its file's name; null if it is none, or one for computers of 32 bits. */
export function platformOf(name: string): Platform | null {
  const plain = name.replaceAll("_", "-");
  if (!isProgram.test(plain)) return null;
  const open = free.find(([pattern]) => pattern.test(plain));
  if (open) return open[1];
  const kind = kinds.find(([patterns]) => patterns.every((pattern) => pattern.test(plain)))?.[1];
  if (!kind || is32Bit.test(plain)) return null;
  return isArm64.test(plain) ? armOf(kind) : kind;
}

/**
 * Whether publishing passes a file over, as it does with everything that a build tool leaves next to its builds. An archive that
 * doesn't say for which system it is may well be a build, so somebody has to say.
 */
export const isPassedOver = (name: string) =>
  platformOf(name) === null && (!isZip.test(name) || is32Bit.test(name));

/** The name under which a file is published: its blanks become dashes. */
export const buildName = (name: string) => name.trim().replaceAll(/\s+/g, "-");
