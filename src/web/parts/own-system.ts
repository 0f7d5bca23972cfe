import type { System } from "@/contract/vocabulary/builds";
import type { Me } from "@/contract/wire/accounts";

/** What a browser reveals about its computer; only Chromium has `userAgentData`. */
export type Machine = {
  userAgent: string;
  maxTouchPoints: number;
  userAgentData?: { platform: string } | undefined;
};

/** The visitor's operating system; undefined if there are no builds for it. */
export function ownSystem(machine: Machine = navigator): System | undefined {
  const { userAgent } = machine;
  const platform = machine.userAgentData?.platform || userAgent;
  if (/android|iphone|ipad|ipod|cros|chrome ?os|\bios\b/i.test(`${platform} ${userAgent}`)) return undefined;
  if (/win/i.test(platform)) return "windows";
  // an iPad requesting desktop pages claims to be a Macintosh; no Mac has a touchscreen
  if (/mac/i.test(platform)) return machine.maxTouchPoints > 1 ? undefined : "mac";
  return /linux/i.test(platform) ? "linux" : undefined;
}

/** How a download gets to a computer that can run it: from here, by an email with its link, or by the copied link. */
export type Reach = "here" | "mail" | "link";

export const reachOf = (user: Me): Reach =>
  ownSystem() ? "here" : user.sends_mail && user.email_confirmed ? "mail" : "link";
