import { Command } from "commander";
import { type LimitTable, limitTable } from "@/contract/vocabulary/limits";
import { type Ctx, typedId } from "@/core/database/context";
import { auditTrail } from "@/core/database/audit";
import { waitingWork } from "@/core/jobs/outbox";
import { type By, operator } from "@/core/base/actor";
import { Refusal } from "@/core/base/refusal";
import { retryMail } from "@/domain/mail/retry";
import { resendLostReceipts } from "@/domain/payments/corrections/lost-receipts";
import { outboxOperations } from "@/domain/operations/settings";
import { byOperator, withShop, print, withOptionalReason, withJson } from "../terminal/command-line";
import { addOperation } from "../terminal/operation-command";
import { stamp, table } from "../terminal/table";
import { typedMoment, positiveNumber } from "../terminal/arguments";

type ListOptions = { limit: number; json?: boolean };
type FilterOptions = ListOptions & { actor?: string; action?: string; since?: Date; until?: Date };

const listCommand = (command: Command, example: string) =>
  withJson(command, example).option("--limit <number>", "the most to show", positiveNumber, 50);

/** `shop outbox …` */
export function outboxCommand(): Command {
  const noun = new Command("outbox").description("mails, role changes and notices waiting to go out");
  listCommand(noun.command("list"), "outbox list")
    .description("what is waiting, most failures first")
    .action(({ limit, json }: ListOptions) =>
      withShop(async ({ ctx }) => {
        const work = await waitingWork(ctx, limit);
        const rows = work.map((one) => [
          one.topic,
          one.subject,
          one.attempts,
          stamp(one.createdAt),
          stamp(one.dueAt),
          one.lastError,
        ]);
        const heading = ["topic", "about", "failures", "since", "next try", "last failure"];
        print(json, work, rows.length === 0 ? "Nothing is waiting." : table(heading, rows));
      }),
    );
  addOperation(noun, outboxOperations.retryStuckJob, {
    description: "try a delivery now",
    examples: ['outbox retry mail.receipt:0199a1b2-… --reason "the mailbox is gone"'],
    subject: { about: "topic:about of shop outbox list" },
    output: ({ subject: key }) => ({ data: { key }, sentence: "It is tried now." }),
  });
  addOperation(noun, outboxOperations.dropStuckJob, {
    description: "give a delivery up for good",
    examples: ['outbox drop mail.receipt:0199a1b2-… --reason "the mailbox is gone"'],
    subject: { about: "topic:about of shop outbox list" },
    output: ({ subject: key }) => ({ data: { key }, sentence: "It is given up." }),
  });
  return noun;
}

/** `shop mail …` */
export function mailCommand(): Command {
  const noun = new Command("mail").description("emails that the mail server did not accept");
  withOptionalReason(noun.command("retry"), `mail retry --reason "the sender is verified now"`)
    .description(
      "send again what it refused for days and every receipt that never arrived, and try now what still waits",
    )
    .action((given: { reason?: string; json?: boolean }) =>
      withShop(async ({ ctx, config }) => {
        if (config.mail === "off") throw new Refusal("mail_off");
        const { json, reason } = given;
        const retried = await retryMail(ctx, { actor: operator, ...(reason !== undefined && { reason }) });
        const letters =
          retried + (await resendEveryReceipt(ctx, limitTable(config.limits), byOperator(reason)));
        const many = letters === 1 ? "One email is" : `${letters} emails are`;
        print(json, { letters }, letters === 0 ? "No emails are waiting." : `${many} tried within seconds.`);
      }),
    );
  return noun;
}

async function resendEveryReceipt(ctx: Ctx, limits: LimitTable, by: By): Promise<number> {
  let all = 0;
  for (let some = 1; some > 0; all += some) some = (await resendLostReceipts(ctx, limits, by)).sent;
  return all;
}

/** `shop audit …` */
export function auditCommand(): Command {
  const noun = new Command("audit").description("who did what, and why");
  listCommand(noun.command("show"), "audit show --actor operator --action licence --since 2026-01-01")
    .argument("[about]", "an id", typedId)
    .description("the audit log, newest first; with an id, only about that licence, payment or account")
    .option("--actor <who>", "operator, shop, discord:<id> or an account's id")
    .option("--action <what>", "such as licence.issued, or licence for everything that starts with it")
    .option("--since <when>", "a date or time in UTC, like 2026-01-31 or 2026-01-31T12:00", typedMoment)
    .option("--until <when>", "in the same form; only what happened before then", typedMoment)
    .action((about: string | undefined, { json, ...filter }: FilterOptions) =>
      withShop(async ({ ctx }) => {
        const trail = await auditTrail(ctx, { about, ...filter });
        const rows = trail.map((one) => [
          stamp(one.at),
          one.actor,
          one.action,
          one.subject,
          one.reason,
          one.detail && describeDetail(one.detail),
        ]);
        const heading = ["when", "who", "what", "about", "why", "more"];
        print(json, trail, rows.length === 0 ? "Nothing matches." : table(heading, rows));
      }),
    );
  return noun;
}

const describeDetail = (detail: Record<string, unknown>): string =>
  Object.entries(detail)
    .map(
      ([name, value]) =>
        `${name}: ${typeof value === "string" ? value : value === null ? "-" : JSON.stringify(value)}`,
    )
    .join(", ");
