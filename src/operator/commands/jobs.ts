import { readFile } from "node:fs/promises";
import { Command } from "commander";
import { bulkActions, type BulkAction } from "@/contract/vocabulary/kinds";
import { maxBulkIds } from "@/contract/wire/desk/jobs";
import { operator } from "@/core/base/actor";
import { ConfigError } from "@/core/settings/config";
import { type Ctx, typedId } from "@/core/database/context";
import { jobForStaff } from "@/domain/jobs/for-staff";
import { makeBulk } from "@/domain/jobs/make";
import { jobOperations } from "@/domain/operations/jobs";
import { licenceNamed } from "@/domain/licences/keys/find";
import { upTo } from "../terminal/arguments";
import { maxAddedDays } from "@/contract/vocabulary/bounds";
import {
  byOperator,
  print,
  withJson,
  withReason,
  withShop,
  type ChangeOptions,
} from "../terminal/command-line";
import { addOperation } from "../terminal/operation-command";
import { counted, facts, stamp, table } from "../terminal/table";

/** `shop licences bulk` */
export const bulkVerb = (): Command =>
  withReason(new Command("bulk"), 'licences bulk extend outage.txt --days 3 --reason "the outage in May"')
    .argument("<action>", bulkActions.join(", "))
    .argument("<file>", `up to ${maxBulkIds} licences, an id or a key on each line`)
    .option("--days <number>", "how many days to add, with extend", upTo(maxAddedDays))
    .description("change many licences; the running shop works on it, and shop jobs shows how far it is")
    .action((action: string, file: string, { days, reason, json }: ChangeOptions & { days?: number }) =>
      withShop(async ({ ctx }) => {
        const wanted = {
          action: actionOf(action, days),
          days: days ?? null,
          chosen: [await idsIn(ctx, file)],
        };
        const id = await makeBulk(ctx, wanted, byOperator(reason));
        print(json, { job: id }, `The shop works on it: shop jobs show ${id} says how far it is.`);
      }),
    );

function actionOf(typed: string, days: number | undefined): BulkAction {
  const action = bulkActions.find((one) => one === typed);
  if (!action) throw new ConfigError(`The action is one of ${bulkActions.join(", ")}.`);
  if ((action === "extend") !== (days !== undefined))
    throw new ConfigError("Give --days with extend, and only there.");
  return action;
}

async function idsIn(ctx: Ctx, file: string): Promise<string[]> {
  const lines = (await readFile(file, "utf8")).split("\n").flatMap((line) => line.trim() || []);
  if (lines.length === 0 || lines.length > maxBulkIds) {
    throw new ConfigError(`The file has ${counted(lines.length, "licence")}; give 1 to ${maxBulkIds}.`);
  }
  const ids: string[] = [];
  for (const line of lines) ids.push((await licenceNamed(ctx, line)).id);
  return ids;
}

/** `shop jobs …` */
export function jobCommand(): Command {
  const noun = new Command("jobs").description("what the shop does to many licences");
  withJson(noun.command("show").argument("<job>", "its id", typedId), "jobs show 0199a1b2-…")
    .description("how far a job is, and which licences were refused")
    .action((id: string, { json }: { json?: boolean }) =>
      withShop(async ({ ctx }) => {
        const { data, sentence } = await jobOfId(ctx, id);
        print(json, data, sentence);
      }),
    );
  addOperation(noun, jobOperations.cancelJob, {
    description: "end a job; what is done stays done",
    examples: ['jobs cancel 0199a1b2-… --reason "the wrong file"'],
    subject: { about: "its id" },
    output: ({ subject: id }, { ctx }) => jobOfId(ctx, id),
  });
  return noun;
}

async function jobOfId(ctx: Ctx, id: string) {
  const job = await jobForStaff(ctx, operator, id);
  const lines = [
    ["action", job.action],
    ["done", `${job.done} of ${job.total}, ${job.refused_total} refused`],
    ["begun", stamp(new Date(job.created_at))],
    [job.cancelled_at ? "cancelled" : "finished", job.finished_at && stamp(new Date(job.finished_at))],
  ];
  const refused = job.refused.map((one) => [one.id, one.code]);
  const list = refused.length > 0 ? `\n\n${table(["licence", "refused with"], refused)}` : "";
  return { data: job, sentence: facts(lines) + list };
}
