import { Command } from "commander";
import { auditTrail, statistics, waitingWork } from "@/domain/staff/books";
import { atDesk, say, withJson } from "./desk";
import { bars, money, stamp, table } from "./table";
import { positive } from "./typed";

type Looking = { limit: number; json?: boolean };

const listing = (command: Command) =>
  withJson(command).option("--limit <number>", "how many at most", positive, 50);

/** `shop outbox …` */
export function outboxVerbs(): Command {
  const noun = new Command("outbox").description("mails, role changes and notices that wait to go out");
  listing(noun.command("list"))
    .description("what waits, most failures first")
    .action(({ limit, json }: Looking) =>
      atDesk(async ({ ctx }) => {
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
        say(json, work, rows.length === 0 ? "Nothing waits." : table(heading, rows));
      }),
    );
  return noun;
}

/** `shop audit …` */
export function auditVerbs(): Command {
  const noun = new Command("audit").description("who did what, and why");
  listing(noun.command("show [about]"))
    .description("newest first; about one licence, payment or account where its id is given")
    .action((about: string | undefined, { limit, json }: Looking) =>
      atDesk(async ({ ctx }) => {
        const trail = await auditTrail(ctx, { limit, ...(about ? { about } : {}) });
        const rows = trail.map((one) => [
          stamp(one.at),
          one.actor,
          one.action,
          one.subject,
          one.reason,
          one.detail && JSON.stringify(one.detail),
        ]);
        say(json, trail, table(["when", "who", "what", "about", "why", "more"], rows));
      }),
    );
  return noun;
}

/** `shop stats` */
export const statsVerb = (): Command =>
  withJson(new Command("stats"))
    .description("sales, payments, licences and accounts")
    .option("--days <number>", "how far back sales are told day by day", positive, 30)
    .action(({ days, json }: { days: number; json?: boolean }) =>
      atDesk(async ({ ctx }) => {
        const told = await statistics(ctx, days);
        const sales = told.sales.map(({ day, currency, sold, amount, refunded }) => ({
          name: day,
          value: sold,
          says: `${sold} sold, ${money(amount - refunded, currency)}`,
        }));
        const facts = [
          ["accounts", told.accounts],
          ["connected to Discord", told.connected_to_discord],
          ...Object.entries(told.licences).map(([name, value]) => [`licences ${name}`, value]),
          ...Object.entries(told.payments).map(([state, value]) => [`payments ${state}`, value]),
        ];
        const plot = sales.length > 0 ? bars(sales) : `Nothing was sold in the last ${days} days.`;
        say(json, told, `${plot}\n\n${table(["", ""], facts).trimStart()}`);
      }),
    );
