import { Command } from "commander";
import { changeOffer as declaredChange } from "@/contract/operations/products";
import { money } from "@/contract/vocabulary/money";
import { typedId } from "@/core/database/context";
import { operator } from "@/core/base/actor";
import { changeOffer, type Terms } from "@/domain/offers/change";
import { type OfferState, offersShown } from "@/domain/offers/for-staff";
import { said } from "@/domain/operations/operation";
import { offerOperations } from "@/domain/operations/products";
import { byOperator, print, withOptionalReason, withJson, withShop } from "../terminal/command-line";
import { counted, stamp, table } from "../terminal/table";
import { daysAbout, devicesAbout, readerOf } from "../terminal/arguments";
import { addOperation } from "../terminal/operation-command";

const { fields } = declaredChange;
const nameAbout = "the name that buyers see";
const trialAbout = "the days before its first payment";
const levelAbout = "the id of the level that it sells";
const hiddenAbout = "in no list, and sold only to those who have its address: /?offer=ID";
const amountAbout = "the price of one in minor units: 200 is USD 2.00";

/** `shop offers …` */
export function offerCommand(): Command {
  const noun = new Command("offers").description("what can be bought");
  addOperation(noun, offerOperations.addOffer, {
    description: "put another offer on sale",
    examples: ['offers add month --name "One month" --amount 200 --days 30 --reason "for the curious"'],
    fields: {
      id: "lowercase letters, digits and dashes",
      name: nameAbout,
      amount: amountAbout,
      devices: devicesAbout,
      every: { flags: "--every <interval>", about: "paid again each month or year, by a subscription" },
      trial_days: { flags: "--trial <days>", about: trialAbout },
      days: daysAbout,
      level: { flags: "--level <id>", about: `${levelAbout} (default: the first level)` },
      hidden: hiddenAbout,
    },
    output({ given: { id, trial_days: trialDays, ...given } }, { ctx: { currency } }) {
      const terms = { ...given, trialDays };
      return {
        data: { id, ...terms, currency },
        sentence: `${id} is on sale: ${describeTerms(terms, currency)}.`,
      };
    },
  });
  withJson(noun.command("list"), "offers list --all")
    .description("what is on sale; with --all, also what was")
    .option("--all", "retired offers and those in another currency too")
    .action(({ all, json }: { all?: boolean; json?: boolean }) => list(all ?? false, json));
  withOptionalReason(noun.command("change"), 'offers change month --amount 300 --reason "the new price"')
    .argument("<id>", "the offer's id", typedId)
    .option("--name <text>", nameAbout, readerOf(fields.name))
    .option("--amount <number>", amountAbout, readerOf(fields.amount))
    .option("--devices <number>", devicesAbout, readerOf(fields.devices))
    .option("--days <number>", daysAbout, readerOf(fields.days))
    .option("--lifetime", "make it a lifetime")
    .option("--trial <days>", trialAbout, readerOf(fields.trial_days))
    .option("--no-trial", "charge from the first day")
    .option("--level <id>", levelAbout)
    .option("--hidden", hiddenAbout)
    .option("--no-hidden", "in all lists again")
    .description("change what is sold from now on; earlier sales keep their terms")
    .action(change);
  addOperation(noun, offerOperations.retireOffer, {
    description: "take an offer off sale for good; earlier sales keep their terms",
    examples: ['offers retire month --reason "nobody bought it"'],
    subject: { about: "the offer's id" },
    output: ({ subject: id }) => `${id} is no longer sold.`,
  });
  return noun;
}

type ChangeOptions = { reason?: string; json?: boolean } & Partial<Omit<Terms, "days">> & {
    days?: number;
    lifetime?: boolean;
    /** False without one. */
    trial?: number | false;
  };

async function change(
  id: string,
  { reason, json, days, lifetime, ...rest }: ChangeOptions,
  command: Command,
) {
  if (lifetime && days !== undefined) command.error("error: give --days or --lifetime, not both");
  const { trial, ...others } = rest;
  const wanted: Partial<Terms> = said({
    ...others,
    days: lifetime ? null : days,
    trialDays: trial === undefined ? undefined : trial || null,
  });
  if (Object.keys(wanted).length === 0) {
    command.error(
      "error: give --name, --amount, --days, --lifetime, --devices, --trial, --no-trial, --level, --hidden or --no-hidden",
    );
  }
  await withShop(async ({ ctx }) => {
    const terms = await changeOffer(ctx, id, wanted, byOperator(reason));
    print(
      json,
      { id, ...terms, currency: ctx.currency },
      `${id} is now ${describeTerms(terms, ctx.currency)}.`,
    );
  });
}

async function list(all: boolean, json: boolean | undefined): Promise<void> {
  await withShop(async ({ ctx }) => {
    const oldestFirst = (await offersShown(ctx, operator)).toReversed();
    const onSale = oldestFirst.filter(({ state }) => state === "on_sale");
    const others = all ? oldestFirst.filter(({ state }) => state !== "on_sale") : [];
    const rows = [...onSale, ...others].map(
      ({ id, name, level, amount, currency, days, devices, every, trialDays, hidden, ...one }) => {
        const state = stateInWords[one.state](one.retiredAt);
        return { id, name, level, amount, currency, days, devices, every, trialDays, hidden, state };
      },
    );
    const cells = rows.map(({ id, name, level, amount, currency, devices, hidden, state, ...time }) => [
      id,
      name,
      level,
      money(amount, currency),
      termInWords(time),
      String(devices),
      hidden ? `${state}, hidden` : state,
    ]);
    print(json, rows, table(["id", "name", "level", "price", "runs", "computers", "state"], cells));
  });
}

const stateInWords: Record<OfferState, (retiredAt: Date | null) => string> = {
  on_sale: () => "on sale",
  retired: (at) => `retired ${stamp(at)}`,
  other_currency: () => "in another currency",
  newer_release: () => "sold by a newer release",
  level_retired: () => "its level is retired",
};

const describeTerms = (
  { name, amount, devices, ...time }: Omit<Terms, "level" | "hidden">,
  currency: string,
) =>
  `${name}, ${money(amount, currency)}, ${termInWords(time)}${devices === 1 ? "" : `, ${devices} computers`}`;

function termInWords({ days, every, trialDays }: Pick<Terms, "days" | "every" | "trialDays">): string {
  if (every !== null)
    return `every ${every}${trialDays ? ` after ${counted(trialDays, "day")} of trial` : ""}`;
  return days === null ? "a lifetime" : counted(days, "day");
}
