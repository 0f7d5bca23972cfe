import { Command, Option } from "commander";
import { minute } from "@/contract/vocabulary/time";
import { ConfigError } from "@/core/settings/config";
import type { Ctx } from "@/core/database/context";
import type { MovedDatabase } from "@/core/database/database";
import { restoredCopy } from "@/core/database/restored-copy";
import { resumeHere, movedTo } from "@/domain/backups/moved";
import { type TakenOver, takeOverCopy, type WaitingJobs } from "@/domain/backups/take-over";
import { expectReal } from "@/domain/system/simulated";
import { typedMoment } from "../terminal/arguments";
import { byOperator, print, withReason, withShop } from "../terminal/command-line";
import { lostInWords, lostBuildsIn } from "../files/lost-builds";
import { expectQuiet } from "./move";
import { stamp } from "../terminal/table";

export type StopOptions = { stoppedAt?: Date };

/** When the old shop last ran. */
export const withStoppedAt = (command: Command): Command =>
  command.addOption(
    new Option(
      "--stopped-at <when>",
      "when the old shop last ran, in UTC, like 2026-01-31T12:00: emails about what happened before are not sent again",
    ).argParser(typedMoment),
  );

/** `shop take-over` */
export const takeOverVerb = (): Command =>
  withStoppedAt(
    withReason(new Command("take-over"), 'take-over --stopped-at 2026-01-31T04:10 --reason "the disk died"'),
  )
    .description(
      "make a restored copy the shop, or continue with a database that the shop was moved away from",
    )
    .action(takeOver);

type Options = StopOptions & { reason: string; json?: boolean };

async function takeOver({ reason, json, ...stopping }: Options): Promise<void> {
  await withShop(
    async ({ ctx, config, builds }) => {
      const moved = await movedTo(ctx);
      const copy = await restoredCopy(ctx);
      if (!moved && !copy) {
        throw new ConfigError(
          "There is nothing to take over: this shop was neither restored from a backup nor moved away.",
        );
      }
      if (moved) await expectReal(ctx);
      await expectQuiet(ctx);
      const taken = copy && (await takenOver(ctx, { reason, ...stopping }));
      if (taken === "needs when") throw new ConfigError(stoppedAtNeeded);
      if (moved) await resumeHere(ctx, moved, byOperator(reason));
      const emails = taken && emailsOutput(taken);
      const lost = lostInWords(await lostBuildsIn(ctx, builds), config);
      print(json, { ...moved, ...emails }, [sentenceOf(moved, taken), lost].filter(Boolean).join("\n"));
    },
    { alone: true, evenMoved: true },
  );
}

export const stoppedAtNeeded =
  "Emails or notices are waiting that the old shop may have sent: say when it last ran, with --stopped-at. Those about what happened before are left out, except notices that someone has to act on; if you aren't sure, give an earlier time, because an email twice is better than none.";

/** Makes a restored copy the shop; null if it is no copy. Throws {@link ConfigError} for an impossible time. */
export async function takenOver(
  ctx: Ctx,
  { reason, stoppedAt }: StopOptions & { reason: string },
): Promise<TakenOver | "needs when" | null> {
  const copy = await restoredCopy(ctx);
  if (!copy) return null;
  await expectReal(ctx);
  expectPossible(stoppedAt, { made: new Date(copy.made), now: ctx.now() });
  const taken = await takeOverCopy(ctx, { stoppedAt: stoppedAt ?? null, by: byOperator(reason) });
  return taken === "no copy" ? null : taken;
}

/** The operator types times without seconds. */
function expectPossible(stoppedAt: Date | undefined, { made, now }: { made: Date; now: Date }): void {
  if (!stoppedAt) return;
  if (stoppedAt > now) throw new ConfigError("--stopped-at is in the future.");
  if (stoppedAt.getTime() < made.getTime() - minute) {
    throw new ConfigError(`--stopped-at is before the backup was made, ${stamp(made)}.`);
  }
}

function sentenceOf(moved: MovedDatabase | null, taken: TakenOver | null): string {
  const old = moved ? `it again on ${moved.to}` : "the old one again";
  return [`The shop continues here. Never start ${old}.`, taken && emailsInWords(taken)]
    .filter((part) => part !== null && part !== "")
    .join("\n");
}

/** The same as {@link emailsInWords} for scripts. */
export const emailsOutput = ({ leftOut, waiting }: TakenOver) => ({
  letters_left_out: leftOut,
  letters_waiting: countOf(waiting),
  letters_waiting_by_kind: waiting,
});

const countOf = (waiting: WaitingJobs[]) => waiting.reduce((sum, one) => sum + one.waiting, 0);

/** Which emails go out now, and which don't. */
export function emailsInWords({ leftOut, waiting }: TakenOver): string {
  const kinds = waiting.map((one) => `${one.waiting} × ${one.topic}${one.kind ? `: ${one.kind}` : ""}`);
  const failed = leftOut.filter(({ attempts }) => attempts > 0);
  const each = failed.map(({ topic, subject, attempts }) => `\n  ${topic} ${subject} (${attempts})`).join("");
  return [
    kinds.length > 0
      ? `Emails and notices that go out when the shop starts: ${countOf(waiting)} (${kinds.join(", ")}).`
      : "",
    leftOut.length > 0 ? `Left out, because the old shop has sent them: ${leftOut.length}.` : "",
    failed.length > 0
      ? `The old shop had failed to send these when the backup was made, so look whether it has since (\`shop payments resend\` repeats a receipt):${each}`
      : "",
  ]
    .filter((part) => part !== "")
    .join("\n");
}
