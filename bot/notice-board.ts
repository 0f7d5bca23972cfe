import { createHash } from "node:crypto";
import { type REST, Routes } from "discord.js";
import type { DiscordConfig } from "@/core/config";
import type { Ctx } from "@/core/context";
import { type Batch, type Handlers, hurry, type Job } from "@/core/outbox";
import { type Disputes, type Line, linesOf, type NoticeTopic } from "@/domain/notices/notices";
import { plain } from "./interactions/markdown";

/** Between two posts; notices that come meanwhile go into the next. */
const pauseMilliseconds = 10_000;
const mostAtOnce = 2_000;
/** Messages in one post: https://discord.com/developers/docs/topics/rate-limits has five in five seconds. */
const mostMessages = 5;
/** Discord's own limit: https://discord.com/developers/docs/resources/message#create-message */
const mostCharacters = 2000;
const pieces = /[^]{1,2000}/gu;

type Board = { rest: REST; config: DiscordConfig; checkout: Disputes; stop: AbortSignal };

/** Posts staff's notices in the staff channel, as many per message as fit. */
export function noticeBoard(ctx: Ctx, { rest, config, checkout, stop }: Board): Handlers {
  const batch: Batch<NoticeTopic> = {
    most: mostAtOnce,
    pauseMilliseconds,
    async handle(jobs) {
      const messages = messagesOf(await linesOf(ctx, checkout, jobs)).slice(0, mostMessages);
      for (const { content, about, part } of messages) {
        await rest.post(Routes.channelMessages(config.staffChannelId), {
          signal: stop,
          body: {
            content,
            allowed_mentions: { parse: [] },
            // Discord recognises a repeat after a crash for some minutes
            nonce: nonceOf(about, part),
            enforce_nonce: true,
          },
        });
      }
      await hurry(ctx, ["staff.notice", "staff.sale"]);
      return messages.flatMap(({ about, last }) => (last ? about : []));
    },
  };
  return { "staff.notice": batch, "staff.sale": batch };
}
/** `part` counts the messages over which a line is split; what it is about is told with the last of them. */
type Message<J> = { content: string; about: J[]; part: number; last: boolean };

/** As many whole lines in each message as fit; a line too long for one is split over several. */
export function messagesOf<J>(lines: Line<J>[]): Message<J>[] {
  const messages: Message<J>[] = [];
  for (const { line, about } of lines) {
    const text = `• ${plain(line)}`;
    const open = messages.at(-1);
    if (open && open.content.length + 1 + text.length <= mostCharacters) {
      open.content += `\n${text}`;
      open.about.push(...about);
      continue;
    }
    const parts = text.match(pieces) ?? [];
    for (const [part, content] of parts.entries()) {
      messages.push({ content, about: [...about], part, last: part === parts.length - 1 });
    }
  }
  return messages;
}

const nonceOf = (jobs: StoredJobKey[], part: number) =>
  createHash("sha256")
    .update(
      jobs.map(({ key, generation, createdAt }) => `${key}:${generation}:${createdAt.getTime()}`).join("\n"),
    )
    .update(String(part))
    .digest("base64url")
    .slice(0, 25);

type StoredJobKey = Pick<Job, "key" | "generation" | "createdAt">;
