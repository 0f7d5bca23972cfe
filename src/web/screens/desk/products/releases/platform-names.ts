import { downloads, freeDownloads, type Platform, platforms } from "@/contract/vocabulary/builds";
import { fileName, systemNames } from "../../../../parts/build-files";

const isFree = (platform: Platform): platform is keyof typeof freeDownloads => platform in freeDownloads;

const free: Record<keyof typeof freeDownloads, string> = { free: "free edition", rpc: "Rich Presence" };

/** `Linux, AppImage`, `Windows, free edition`. */
export const platformName = (platform: Platform): string =>
  isFree(platform)
    ? `${systemNames[freeDownloads[platform].system]}, ${free[platform]}`
    : `${systemNames[downloads[platform].system]}, ${fileName(platform)}`;

export const platformChoices = platforms.map((platform) => [platform, platformName(platform)] as const);
