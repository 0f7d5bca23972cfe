import { createHash } from "node:crypto";
import { type REST, Routes } from "discord.js";
import type { DiscordConfig } from "@/core/config";
import type { Ctx } from "@/core/context";
import { currentTrace, traced } from "@/core/trace";
import type { JobWatch } from "@/core/watched";
import { noticeTopic } from "@/core/notice";
import { claim, finish, type Job, postpone } from "@/core/outbox";
import { type Disputes, noticeOf, type Notice } from "@/domain/staff/notices";
import { everySoOften } from "./turns";
import { plain } from "./words";

/** At most one message in this time, whatever happens; what comes meanwhile stands in the next. */
const pauseMilliseconds = 10_000;
const lookEveryMilliseconds = 10_000;
const mostAtOnce = 100;
const mostLinesOfAKind = 10;
/** Discord's own limit: https://discord.com/developers/docs/resources/message#create-message */
const mostCharacters = 2000;

type Board = {
  rest: REST;
  config: DiscordConfig;
  checkout: Disputes;
  jobs: JobWatch;
  stop: AbortSignal;
};

/** Writes to the staff channel what the outbox holds for staff, many notices in one message. */
export function startNoticeBoard(ctx: Ctx, { rest, config, checkout, jobs, stop }: Board) {
  const publish = async () => {
    const due = await claim(ctx, { id: "notice board" }, [noticeTopic], mostAtOnce);
    if (due.length === 0) return false;
    const began = performance.now();
    const each = (act: (job: Job) => Promise<void>) =>
      Promise.all(due.map((job) => traced(job.request ?? currentTrace(), () => act(job))));
    try {
      const notices = await Promise.all(due.map((job) => noticeOf(ctx, checkout, job)));
      await rest.post(Routes.channelMessages(config.staffChannelId), {
        signal: stop,
        body: {
          content: compose(notices),
          allowed_mentions: { parse: [] },
          // a repeat after a crash is recognised by Discord for some minutes
          nonce: nonceOf(due),
          enforce_nonce: true,
        },
      });
    } catch (error) {
      await each((job) => {
        jobs.tell(job, began, error);
        return postpone(ctx, job, error);
      });
      return true;
    }
    await each((job) => {
      jobs.tell(job, began);
      return finish(ctx, job, []);
    });
    return true;
  };
  const turns = everySoOften(ctx, {
    name: "notices",
    every: lookEveryMilliseconds,
    pause: pauseMilliseconds,
    act: publish,
  });
  turns.soon();
  return { wake: () => turns.soon(), stop: () => turns.stop() };
}

/** One message: a line for each, those of one kind together, and of many the number only. */
export function compose(notices: Notice[]): string {
  const kinds = Object.entries(Object.groupBy(notices, ({ what }) => what));
  const lines = kinds.flatMap(([what, all = []]) => {
    const shown = all.slice(0, mostLinesOfAKind).map(({ line }) => `• ${plain(line)}`);
    const rest = all.length - shown.length;
    return rest > 0 ? [...shown, `• … and ${rest} more: ${plain(what)}`] : shown;
  });
  const text = lines.join("\n");
  return text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters - 2)}\n…`;
}

const nonceOf = (jobs: Job[]) =>
  createHash("sha256")
    .update(jobs.map(({ key, generation }) => `${key}:${generation}`).join("\n"))
    .digest("base64url")
    .slice(0, 25);
