/** The kinds of build in a release, and the call that serves each. */
const common = {
  win_exe: { path: "/api/download", system: "windows" },
  win_zip: { path: "/api/download/zip", system: "windows" },
  console_win_zip: { path: "/api/download/console", system: "windows" },
  linux_appimage: { path: "/api/download/linux/appimage", system: "linux" },
  linux_deb: { path: "/api/download/linux/deb", system: "linux" },
  linux_rpm: { path: "/api/download/linux/rpm", system: "linux" },
  console_linux_zip: { path: "/api/download/linux/console", system: "linux" },
  mac_dmg: { path: "/api/download/mac", system: "mac" },
  mac_zip: { path: "/api/download/mac/zip", system: "mac" },
} as const;

export type CommonPlatform = keyof typeof common;
export type PaidPlatform = CommonPlatform | `${CommonPlatform}_arm64`;
export type System = "windows" | "mac" | "linux";

/** The kind for arm64 of a kind of build. */
export const armOf = (platform: CommonPlatform) => `${platform}_arm64` as const;
export const isArm = (platform: Platform) => platform.endsWith("_arm64");

const kinds = Object.entries(common) as [CommonPlatform, { path: string; system: System }][];
const armKinds = kinds.map(
  ([platform, { path, system }]) => [armOf(platform), { path: `${path}/arm64`, system }] as const,
);
/** Those for x64, or for both, come first. */
export const downloads = Object.fromEntries([...kinds, ...armKinds]) as Record<
  PaidPlatform,
  { path: string; system: System }
>;

/** Builds that anyone may download. */
export const freeDownloads = {
  free: { path: "/api/download/free", system: "windows" },
  rpc: { path: "/api/download/rpc", system: "windows" },
} as const;

export type Platform = PaidPlatform | keyof typeof freeDownloads;

export const paidPlatforms = Object.keys(downloads) as PaidPlatform[];
export const platforms = [...paidPlatforms, ...Object.keys(freeDownloads)] as Platform[];
export const systems = ["windows", "mac", "linux"] as const satisfies System[];

/** From most stable to newest; each channel also gets the releases of those before it. */
export const channels = ["latest", "beta", "alpha"] as const;
export type Channel = (typeof channels)[number];

/**
 * The value of `/dashboard?notice=…` for a browser that was redirected from a download. The sentence is
 * `texts.downloadLocked`.
 */
export const downloadLockedNotice = "download-locked";

/** The parameter by which `/login`, `/dashboard` and the download page learn which file a visitor wanted. */
export const wantedFile = "file";
