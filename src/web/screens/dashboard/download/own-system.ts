import type { System } from "@/contract/builds";

/** What a browser says of the machine it runs on; only Chromium's have `userAgentData`. */
export type Machine = {
  userAgent: string;
  maxTouchPoints: number;
  userAgentData?: { platform: string } | undefined;
};

/** The system of the machine that the page is shown on; undefined where it is none that we build for. */
export function ownSystem(machine: Machine = navigator): System | undefined {
  const { userAgent } = machine;
  const platform = machine.userAgentData?.platform || userAgent;
  if (/android|iphone|ipad|ipod|cros|chrome ?os|\bios\b/i.test(`${platform} ${userAgent}`)) return undefined;
  if (/win/i.test(platform)) return "windows";
  // An iPad that asks for desktop pages calls itself a Macintosh; no Mac has a touchscreen.
  if (/mac/i.test(platform)) return machine.maxTouchPoints > 1 ? undefined : "mac";
  return /linux/i.test(platform) ? "linux" : undefined;
}
