import { createHash } from "node:crypto";
import { type REST, Routes } from "discord.js";
import type { DiscordConfig } from "@/core/config";
import type { Ctx } from "@/core/context";
import type { Batch, Job } from "@/core/outbox";
import { type Disputes, type Notice, linesOf, noticeOf } from "@/domain/notices/notices";
import { plain } from "./interactions/markdown";

/** Between two messages; notices that come meanwhile go into the next. */
const pauseMilliseconds = 10_000;
const mostAtOnce = 500;
/** Discord's own limit: https://discord.com/developers/docs/resources/message#create-message */
const mostCharacters = 2000;
const pieces = /[^]{1,2000}/gu;

type Board = { rest: REST; config: DiscordConfig; checkout: Disputes; stop: AbortSignal };

/** Posts staff's notices in the staff channel, as many per message as fit. */
export const noticeBoard = (
  ctx: Ctx,
  { rest, config, checkout, stop }: Board,
): { "staff.notice": Batch<"staff.notice"> } => ({
  "staff.notice": {
    most: mostAtOnce,
    pauseMilliseconds,
    async handle(jobs) {
      const notices = await Promise.all(
        jobs.map(async (job) => ({ job, ...(await noticeOf(ctx, checkout, job)) })),
      );
      const { texts, said } = nextMessage(notices);
      const done = said.map(({ job }) => job);
      for (const [part, content] of texts.entries()) {
        await rest.post(Routes.channelMessages(config.staffChannelId), {
          signal: stop,
          body: {
            content,
            allowed_mentions: { parse: [] },
            // Discord recognises a repeat after a crash for some minutes
            nonce: nonceOf(done, part),
            enforce_nonce: true,
          },
        });
      }
      return done;
    },
  },
});

/** As many whole lines as fit into a message; a line too long for one is split over several. */
export function nextMessage<N extends Notice>(notices: N[]): { texts: string[]; said: N[] } {
  const bullets = linesOf(notices).map(({ line, about }) => ({ text: `• ${plain(line)}`, about }));
  let text = bullets[0]?.text ?? "";
  let taken = 1;
  for (const next of bullets.slice(1)) {
    if (text.length + 1 + next.text.length > mostCharacters) break;
    text += `\n${next.text}`;
    taken += 1;
  }
  return {
    texts: text.match(pieces) ?? [],
    said: bullets.slice(0, taken).flatMap(({ about }) => about),
  };
}

const nonceOf = (jobs: Job[], part: number) =>
  createHash("sha256")
    .update(jobs.map(({ key, generation }) => `${key}:${generation}`).join("\n"))
    .update(String(part))
    .digest("base64url")
    .slice(0, 25);
