import type { Component, Json, Message } from "../store/rows";
import { refusals } from "../errors";
import type { AllowedMentions } from "./mentions";

/** What a message says, already checked. */
export type Draft = {
  content: string;
  embeds: Json[];
  components: Component[];
  /** Ids of stored files. */
  attachments: string[];
  flags: number;
  tts: boolean;
  nonce: string | number | null;
  reply_to: string | null;
  allowed_mentions: AllowedMentions | undefined;
};

export const emptyDraft: Draft = {
  content: "",
  embeds: [],
  components: [],
  attachments: [],
  flags: 0,
  tts: false,
  nonce: null,
  reply_to: null,
  allowed_mentions: undefined,
};

/** What stays out of a change stays as it was. */
export type MessageChange = { [K in keyof Draft]?: Draft[K] | undefined };

type Said = Pick<Draft, "content" | "embeds" | "components" | "attachments">;
export function mustSaySomething({ content, embeds, components, attachments }: Said) {
  if (content === "" && embeds.length + components.length + attachments.length === 0)
    throw refusals.emptyMessage();
}

export function rewrite(message: Message, change: MessageChange): Message {
  const { content, embeds, components, attachments, flags } = change;
  return {
    ...message,
    content: content ?? message.content,
    embeds: embeds ?? message.embeds,
    components: components ?? message.components,
    attachments: attachments ?? message.attachments,
    flags: flags === undefined ? message.flags : (message.flags & ~changeable) | (flags & changeable),
  };
}

/** Suppressed embeds, and components of the second version, which can be switched on but never off. */
const changeable = (1 << 2) | (1 << 15);

/** All text that may hold a mention: what it says, and what its text displays say. */
export function textOf({ content, components }: Pick<Draft, "content" | "components">): string {
  const texts: string[] = [content];
  const collect = (value: unknown) => {
    if (Array.isArray(value)) value.forEach(collect);
    else if (typeof value === "object" && value !== null) {
      if ("type" in value && value.type === 10 && "content" in value) texts.push(String(value.content));
      Object.values(value).forEach(collect);
    }
  };
  collect(components);
  return texts.join("\n");
}
