import { Command, InvalidArgumentError, Option } from "commander";
import { money } from "@/contract/vocabulary/money";
import { mostPrice, mostTrialDays } from "@/contract/vocabulary/bounds";
import { type Interval, intervals } from "@/contract/vocabulary/kinds";
import { typedId } from "@/core/database/context";
import { addOffer, allOffers, changeOffer, retireOffer, type Terms } from "@/domain/offers/change";
import { knownOffers, offersOnSale } from "@/domain/offers/list";
import type { OfferRow } from "@/domain/schema/offers";
import { byOperator, example, print, withJson, withReason, withShop } from "../terminal/command-line";
import { counted, stamp, table } from "../terminal/table";
import { devicesOption, positive, upTo, withDays } from "../terminal/arguments";

type Changing = { reason: string; json?: boolean };

/** `shop offers …` */
export function offerCommand(): Command {
  const noun = new Command("offers").description("what can be bought besides the brand's own offer");
  withDays(
    withReason(noun.command("add").argument("<id>", "lowercase letters, digits and dashes", offerId))
      .requiredOption("--name <text>", "the name that buyers see", offerName)
      .addOption(amountOption().makeOptionMandatory())
      .addOption(devicesOption().default(1))
      .addOption(
        new Option("--every <interval>", "paid again each month or year, by a subscription").choices(
          intervals,
        ),
      )
      .addOption(
        new Option("--trial <days>", "the days before its first payment").argParser(upTo(mostTrialDays)),
      ),
  )
    .description("put another offer on sale")
    .addHelpText(
      "after",
      example('offers add month --name "One month" --amount 200 --days 30 --reason "for the curious"'),
    )
    .action((id: string, { name, amount, days, devices, every, trial, reason, json }: Added) =>
      withShop(async ({ ctx }) => {
        const subscription = { every: every ?? null, trialDays: trial ?? null };
        const terms = { name, amount, days: days ?? null, devices, ...subscription };
        await addOffer(ctx, { id, ...terms }, byOperator(reason));
        print(
          json,
          { id, ...terms, currency: ctx.currency },
          `${id} is on sale: ${inWords(terms, ctx.currency)}.`,
        );
      }),
    );
  withJson(noun.command("list"))
    .description("what is on sale; with --all, also what was")
    .option("--all", "retired offers and those in another currency too")
    .addHelpText("after", example("offers list --all"))
    .action(({ all, json }: { all?: boolean; json?: boolean }) => list(all ?? false, json));
  withDays(
    withReason(noun.command("change").argument("<id>", "the offer's id", typedId))
      .option("--name <text>", "the name that buyers see", offerName)
      .addOption(amountOption())
      .addOption(devicesOption()),
  )
    .option("--lifetime", "make it a lifetime")
    .description("change what is sold from now on; earlier sales keep their terms")
    .addHelpText("after", example('offers change month --amount 300 --reason "the new price"'))
    .action(change);
  withReason(noun.command("retire").argument("<id>", "the offer's id", typedId))
    .description("take an offer off sale for good; earlier sales keep their terms")
    .addHelpText("after", example('offers retire month --reason "nobody bought it"'))
    .action((id: string, { reason, json }: Changing) =>
      withShop(async ({ ctx }) => {
        await retireOffer(ctx, id, byOperator(reason));
        print(json, { id }, `${id} is no longer sold.`);
      }),
    );
  return noun;
}

type Added = Changing &
  Pick<Terms, "name" | "amount" | "devices"> & { days?: number; every?: Interval; trial?: number };
type Changed = Changing & Partial<Omit<Terms, "days">> & { days?: number; lifetime?: boolean };

async function change(id: string, { reason, json, days, lifetime, ...rest }: Changed, command: Command) {
  if (lifetime && days !== undefined) command.error("error: give --days or --lifetime, not both");
  const { name, amount, devices } = rest;
  const wanted: Partial<Terms> = {
    ...(name === undefined ? {} : { name }),
    ...(amount === undefined ? {} : { amount }),
    ...(days === undefined ? {} : { days }),
    ...(lifetime ? { days: null } : {}),
    ...(devices === undefined ? {} : { devices }),
  };
  if (Object.keys(wanted).length === 0) {
    command.error("error: give --name, --amount, --days, --lifetime or --devices");
  }
  await withShop(async ({ ctx }) => {
    const terms = await changeOffer(ctx, id, wanted, byOperator(reason));
    print(json, { id, ...terms, currency: ctx.currency }, `${id} is now ${inWords(terms, ctx.currency)}.`);
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
        state: stateOf(offer),
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
      lasting(time),
      String(devices),
      state,
    ]);
    print(json, rows, table(["id", "name", "price", "runs", "computers", "state"], cells));
  });
}

function stateOf({ retiredAt, edition }: OfferRow): string {
  if (retiredAt) return `retired ${stamp(retiredAt)}`;
  return edition > knownOffers ? "sold by a newer release" : "in another currency";
}

const inWords = ({ name, amount, devices, ...time }: Terms, currency: string) =>
  `${name}, ${money(amount, currency)}, ${lasting(time)}${devices === 1 ? "" : `, ${devices} computers`}`;

function lasting({ days, every, trialDays }: Pick<Terms, "days" | "every" | "trialDays">): string {
  if (every !== null)
    return `every ${every}${trialDays ? ` after ${counted(trialDays, "day")} of trial` : ""}`;
  return days === null ? "a lifetime" : counted(days, "day");
}

const amountOption = () =>
  new Option("--amount <number>", "the price of one in minor units: 200 is USD 2.00").argParser(price);

function price(text: string): number {
  const amount = positive(text);
  if (amount > mostPrice) throw new InvalidArgumentError(`Stripe takes no more than ${mostPrice}.`);
  return amount;
}

function offerId(text: string): string {
  if (/^[a-z0-9][a-z0-9-]{0,31}$/.test(text)) return text;
  throw new InvalidArgumentError("It must be 1 to 32 lowercase letters, digits and dashes.");
}

function offerName(text: string): string {
  const name = text.trim();
  if (name.length >= 1 && name.length <= 80 && !/\p{Cc}/u.test(name)) return name;
  throw new InvalidArgumentError("It must be 1 to 80 characters on one line.");
}
