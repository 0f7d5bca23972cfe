import type { Ctx } from "@/core/database/context";
import type { Batch, Job } from "@/core/jobs/job-handlers";
import { retryNow } from "@/core/jobs/outbox";
import { botTopics } from "@/domain/outbox-topics";
import { type NoticeLine, linesOf, type NoticeTopic } from "@/domain/notices/notices";
import { maxMessageCharacters, type Posts } from "./discord/posts";
import { plain } from "./interactions/markdown";

/** The pause between two turns; the next turn posts notices that arrive meanwhile. */
const pauseMilliseconds = 10_000;
const mostAtOnce = 2_000;
/** Per turn; Discord allows some five messages in five seconds. */
const mostMessages = 5;
const pieces = /[^]{1,2000}/gu;

type Board = { posts: Posts; channelId: string; stop: AbortSignal };

/** Posts staff's notices in the staff channel, as many per message as fit. */
export function noticeBoard(ctx: Ctx, { posts, channelId, stop }: Board) {
  const batch: Batch<NoticeTopic> = {
    most: mostAtOnce,
    pauseMilliseconds,
    async handle(jobs) {
      const messages = messagesOf(await linesOf(ctx, jobs)).slice(0, mostMessages);
      const posted: Job[] = [];
      for (const { content, about, part, last } of messages) {
        try {
          await posts.post(channelId, { content }, nonceOf(about, part), stop);
        } catch (error) {
          // posted notices are done; retry only the rest
          if (posted.length > 0) return posted;
          throw error;
        }
        if (last) posted.push(...about);
      }
      await retryNow(ctx, [botTopics.notifyStaff, botTopics.notifyStaffOfSale]);
      return posted;
    },
  };
  return { notifyStaff: batch, notifyStaffOfSale: batch };
}

/** `part` numbers the messages of a split long line; its jobs are done with the last part. */
type Message<J> = { content: string; about: J[]; part: number; last: boolean };

/** As many whole lines in each message as fit; splits a line too long for one. */
export function messagesOf<J>(lines: NoticeLine<J>[]): Message<J>[] {
  const messages: Message<J>[] = [];
  for (const { line, about } of lines) {
    const text = `• ${plain(line)}`;
    const open = messages.at(-1);
    if (open && open.content.length + 1 + text.length <= maxMessageCharacters) {
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

/** The same notices again, after a crash, make the same message. */
const nonceOf = (jobs: Pick<Job, "key" | "generation" | "createdAt">[], part: number): string =>
  [...jobs.map(({ key, generation, createdAt }) => `${key}:${generation}:${createdAt.getTime()}`), part].join(
    "\n",
  );
