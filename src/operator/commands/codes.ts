import { Command, InvalidArgumentError, Option } from "commander";
import { plainTyped } from "@/contract/vocabulary/typed-codes";
import { createCode, lastsInWords, offInWords, retireCode } from "@/domain/payments/corrections/codes";
import { type CodeLasts, mostMonths } from "@/contract/wire/desk/codes";
import { byOperator, example, print, withJson, withReason, withShop } from "../terminal/command-line";
import { counted, stamp, table } from "../terminal/table";
import { moment, positive, upTo } from "../terminal/arguments";
import { mostPrice } from "@/contract/vocabulary/bounds";

type Changing = { reason: string; json?: boolean };
type Creating = Changing & { percent?: number; amount?: number; for: CodeLasts; uses?: number; until?: Date };

/** `shop codes …`: promotion codes are kept at Stripe and can also be made in its dashboard. */
export function codeCommand(): Command {
  const noun = new Command("codes").description("promotion codes at Stripe");
  withReason(noun.command("create").argument("<code>", "what buyers type", codeText))
    .addOption(
      new Option("--percent <number>", "how much of the price it takes off, 1 to 100").argParser(percent),
    )
    .addOption(new Option("--amount <number>", "or how much, in minor units").argParser(mostOff))
    .addOption(
      new Option("--for <months>", "which payments of a subscription: once, a number of months, or forever")
        .argParser(lasting)
        .default("once"),
    )
    .addOption(new Option("--uses <number>", "how often it may be used in all").argParser(positive))
    .addOption(new Option("--until <date>", "when it ends (UTC)").argParser(moment))
    .description("make a promotion code that buyers can use at once")
    .addHelpText(
      "after",
      `${example('codes create LAUNCH --percent 20 --uses 100 --reason "the launch"')}
Buyers of one key, or of a gift, enter it on Stripe's page; buyers of several follow a link with ?code=.
A code that takes off the whole price works for one key at a time: an order of several refuses it.`,
    )
    .action(create);
  withJson(noun.command("list"))
    .description("all promotion codes, newest first")
    .addHelpText("after", example("codes list"))
    .action(({ json }: { json?: boolean }) =>
      withShop(async ({ checkout }) => {
        const codes = await (await checkout()).codes();
        const lastDifferently = codes.some(({ lasts }) => lasts !== "once");
        const rows = codes.map((one) => [
          one.code,
          offInWords(one.off),
          ...(lastDifferently ? [lastsInWords(one.lasts)] : []),
          one.mostUses === null ? String(one.uses) : `${one.uses} of ${one.mostUses}`,
          one.expiresAt && stamp(one.expiresAt),
          one.active ? "active" : "ended",
        ]);
        const headings = ["code", "takes off", ...(lastDifferently ? ["for"] : []), "used", "until", "state"];
        print(json, codes, table(headings, rows));
      }),
    );
  withReason(noun.command("retire").argument("<code>", "what buyers type", plainTyped))
    .description("end a promotion code")
    .addHelpText("after", example('codes retire LAUNCH --reason "the launch is over"'))
    .action((typed: string, { reason, json }: Changing) =>
      withShop(async ({ ctx, checkout }) => {
        const ended = await retireCode(ctx, await checkout(), typed, byOperator(reason));
        print(json, ended, `${ended.code} can no longer be used.`);
      }),
    );
  return noun;
}

async function create(code: string, options: Creating, command: Command): Promise<void> {
  const { percent: percentOff, amount, for: lasts, uses, until, reason, json } = options;
  if ((percentOff === undefined) === (amount === undefined))
    command.error("error: give --percent or --amount");
  if (until && until.getTime() <= Date.now()) command.error("error: --until is in the past");
  await withShop(async ({ ctx, checkout }) => {
    const off = percentOff !== undefined ? { percent: percentOff } : { amount: amount ?? 0 };
    const wanted = { code, off, lasts, mostUses: uses ?? null, expiresAt: until ?? null };
    const made = await createCode(ctx, await checkout(), wanted, byOperator(reason));
    const limit = made.mostUses === null ? "" : `, ${counted(made.mostUses, "time")}`;
    const months = lasts === "forever" ? "" : ` for ${lastsInWords(lasts)}`;
    const payments = lasts === "once" ? "" : ` of every payment of a subscription${months}`;
    print(json, made, `${made.code} takes off ${offInWords(made.off)}${payments}${limit}.`);
  });
}

const mostOff = upTo(mostPrice);

const months = upTo(mostMonths);

const lasting = (text: string): CodeLasts =>
  text === "once" || text === "forever" ? text : { months: months(text) };

function percent(text: string): number {
  const value = positive(text);
  if (value > 100) throw new InvalidArgumentError("It must be 1 to 100.");
  return value;
}

/** https://docs.stripe.com/api/promotion_codes/create#create_promotion_code-code */
function codeText(text: string): string {
  const code = plainTyped(text);
  if (/^[A-Za-z0-9-]{1,64}$/.test(code)) return code;
  throw new InvalidArgumentError("It must be letters, digits and dashes.");
}
