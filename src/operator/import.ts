import { Command } from "commander";
import { Refusal } from "@/core/refusal";
import { importCustomers, judgeCustomers } from "@/domain/customers/import";
import { importKeys } from "@/domain/licences/import";
import { refuseLines } from "./line-errors";
import { columns, customersIn } from "./customers-csv";
import { withShop, byOperator, example, print, withReason } from "./command-line";
import { keysIn } from "./keys-csv";
import { progressBar } from "./progress";
import { counted } from "./table";

type Importing = { reason: string; dryRun?: boolean; json?: boolean };

const importing = (noun: Command) =>
  withReason(noun).option(
    "--dry-run",
    "check the file and say what would be imported, without changing anything",
  );

const aboutCustomers = `
Columns, in any order; only username and email must be there:
  ${columns.join(", ")}
A key, days or expires (a date) makes a licence that the customer holds at once: days count from the import,
"lifetime" or a key alone is a lifetime, and without a key one is made. A key that was imported before and is
not redeemed yet is used. Other columns are ignored and listed: passwords and hardware ids can't be imported.
The customer gets in with "Forgot password?" and their email; until then nobody can sign in. Nothing is mailed.`;

/** `shop import …` */
export function importCommand(): Command {
  const noun = new Command("import").description("import from another shop; safe to repeat");
  importing(noun.command("keys <file>"))
    .description(
      "keys sold by another shop: CSV with the header key,level,days, or KeyAuth's own list; - reads standard input",
    )
    .addHelpText("after", example('import keys keys.csv --reason "moving in"'))
    .action(keys);
  importing(noun.command("customers <file>"))
    .description("customers of another shop, as accounts, from CSV; - reads standard input")
    .addHelpText(
      "after",
      `${aboutCustomers}\n${example('import customers people.csv --dry-run --reason "moving in"')}`,
    )
    .action(customers);
  return noun;
}

async function keys(path: string, { reason, dryRun = false, json }: Importing): Promise<void> {
  const found = keysIn(await textOf(path));
  await withShop(async ({ ctx }) => {
    const bar = progressBar("Importing keys", json);
    const { made, known } = await importKeys(ctx, found, {
      ...byOperator(reason),
      dryRun,
      onProgress: bar.at,
    }).finally(bar.end);
    print(json, { made, known, ...dry(dryRun) }, summaryOf("key", { made, known, dryRun }));
  });
}

async function customers(path: string, { reason, dryRun = false, json }: Importing): Promise<void> {
  const { customers: found, ignored } = customersIn(await textOf(path));
  await withShop(async ({ ctx }) => {
    const bar = progressBar("Checking the file", json);
    const { fresh, known, faults } = await judgeCustomers(ctx, found, bar.at).finally(bar.end);
    if (faults.length > 0) refuseLines(faults);
    if (!dryRun) {
      const making = progressBar("Importing customers", json);
      await importCustomers(ctx, fresh, byOperator(reason), making.at).finally(making.end);
    }
    const passed = ignored.length > 0 ? `\nThese columns were ignored: ${ignored.join(", ")}.` : "";
    const output = { made: fresh.length, known, ignored_columns: ignored, ...dry(dryRun) };
    print(json, output, summaryOf("customer", { made: fresh.length, known, dryRun }) + passed);
  });
}

const dry = (dryRun: boolean) => (dryRun ? { dry_run: true } : {});

function summaryOf(noun: string, { made, known, dryRun }: { made: number; known: number; dryRun: boolean }) {
  const were = dryRun ? "would be" : made === 1 ? "was" : "were";
  const others = `${known} ${known === 1 ? "was" : "were"} already known.`;
  return `${counted(made, noun)} ${were} imported, ${others}${dryRun ? " Nothing was changed." : ""}`;
}

async function textOf(path: string): Promise<string> {
  try {
    return await (path === "-" ? Bun.stdin : Bun.file(path)).text();
  } catch {
    throw new Refusal("not_found", { sentence: `${path} can't be read.` });
  }
}
