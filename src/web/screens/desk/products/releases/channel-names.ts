import type { Channel } from "@/contract/vocabulary/builds";

export const channelNames: Record<Channel, string> = { latest: "Latest", beta: "Beta", alpha: "Alpha" };

export const isChannel = (text: string): text is Channel => Object.hasOwn(channelNames, text);
