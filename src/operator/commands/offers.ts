import { Command } from "commander";
import { changeOffer as declaredChange } from "@/contract/operations/products";
import { money } from "@/contract/vocabulary/money";
import { typedId } from "@/core/database/context";
import { allOffers, changeOffer, type Terms } from "@/domain/offers/change";
import { knownOfferVersion, offersOnSale } from "@/domain/offers/list";
import { offerOperations } from "@/domain/operations/products";
import type { OfferRow } from "@/domain/schema/offers";
import { byOperator, print, withOptionalReason, withJson, withShop } from "../terminal/command-line";
import { counted, stamp, table } from "../terminal/table";
import { daysAbout, devicesAbout, readerOf } from "../terminal/arguments";
import { addOperation } from "../terminal/operation-command";

const { fields } = declaredChange;
const nameAbout = "the name that buyers see";
const trialAbout = "the days before its first payment";
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
    },
    output(
      { given: { id, name, amount, days, devices, every, trial_days: trialDays } },
      { ctx: { currency } },
    ) {
      const terms = { name, amount, days, devices, every, trialDays };
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
  const { name, amount, devices, trial } = rest;
  const wanted: Partial<Terms> = {
    ...(name === undefined ? {} : { name }),
    ...(amount === undefined ? {} : { amount }),
    ...(days === undefined ? {} : { days }),
    ...(lifetime ? { days: null } : {}),
    ...(devices === undefined ? {} : { devices }),
    ...(trial === undefined ? {} : { trialDays: trial || null }),
  };
  if (Object.keys(wanted).length === 0) {
    command.error("error: give --name, --amount, --days, --lifetime, --devices, --trial or --no-trial");
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
    const onSale = await offersOnSale(ctx);
    const others = all
      ? (await allOffers(ctx)).filter(({ id }) => onSale.every((offer) => offer.id !== id))
      : [];
    const rows = [
      ...onSale.map((offer) => ({ ...offer, state: "on sale" })),
      ...others.map((offer) => ({
        ...offer,
        state: offerState(offer),
      })),
    ].map(({ id, name, amount, currency, days, devices, every, trialDays, state }) => ({
      id,
      name,
      amount,
      currency,
      days,
      devices,
      every,
      trialDays,
      state,
    }));
    const cells = rows.map(({ id, name, amount, currency, devices, state, ...time }) => [
      id,
      name,
      money(amount, currency),
      termInWords(time),
      String(devices),
      state,
    ]);
    print(json, rows, table(["id", "name", "price", "runs", "computers", "state"], cells));
  });
}

function offerState({ retiredAt, offerVersion }: OfferRow): string {
  if (retiredAt) return `retired ${stamp(retiredAt)}`;
  return offerVersion > knownOfferVersion ? "sold by a newer release" : "in another currency";
}

const describeTerms = ({ name, amount, devices, ...time }: Omit<Terms, "level">, currency: string) =>
  `${name}, ${money(amount, currency)}, ${termInWords(time)}${devices === 1 ? "" : `, ${devices} computers`}`;

function termInWords({ days, every, trialDays }: Pick<Terms, "days" | "every" | "trialDays">): string {
  if (every !== null)
    return `every ${every}${trialDays ? ` after ${counted(trialDays, "day")} of trial` : ""}`;
  return days === null ? "a lifetime" : counted(days, "day");
}
