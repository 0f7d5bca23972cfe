import { Command } from "commander";
import { plainTyped } from "@/contract/vocabulary/typed-codes";
import { lastsInWords, offInWords } from "@/domain/payments/corrections/codes";
import type { PromotionCode } from "@/domain/payments/port/promotion-code";
import { codeOperations } from "@/domain/operations/products";
import { type CodeLasts, maxMonths } from "@/contract/wire/desk/codes";
import { print, withJson, withShop } from "../terminal/command-line";
import { counted, stamp, table } from "../terminal/table";
import { typedMoment, upTo } from "../terminal/arguments";
import { addOperation } from "../terminal/operation-command";

/** `shop codes …`: promotion codes are kept at Stripe and can also be made in its dashboard. */
export function codeCommand(): Command {
  const noun = new Command("codes").description("promotion codes at Stripe");
  addOperation(noun, codeOperations.createCode, {
    description: "create a promotion code that buyers can use right away",
    examples: ['codes create LAUNCH --percent 20 --uses 100 --reason "the launch"'],
    notes: `
Buyers of one key, or of a gift, enter it on Stripe's page; buyers of several follow a link with ?code=.
A code that takes off the whole price works for one key at a time: an order of several refuses it.`,
    fields: {
      code: "what buyers type",
      percent: "how much of the price it takes off, 1 to 100",
      amount: "or how much, in minor units",
      lasts: {
        flags: "--for <months>",
        about: "which payments of a subscription: once, a number of months, or forever",
        read: readLasts,
      },
      most_uses: { flags: "--uses <number>", about: "how often it may be used in total" },
      expires_at: {
        flags: "--until <date>",
        about: "when it ends (UTC)",
        read: (typed) => typedMoment(typed).toISOString(),
      },
    },
    check: ({ expires_at: until }, { ctx }) =>
      until !== undefined && new Date(until) <= ctx.now() ? "--until is in the past" : undefined,
    output: ({ result: made, given: { lasts } }) => ({ data: made, sentence: madeInWords(made, lasts) }),
  });
  withJson(noun.command("list"), "codes list")
    .description("all promotion codes, newest first")
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
  addOperation(noun, codeOperations.retireCode, {
    description: "end a promotion code",
    examples: ['codes retire LAUNCH --reason "the launch is over"'],
    subject: { about: "what buyers type", read: plainTyped },
    output: ({ result: ended }) => ({ data: ended, sentence: `${ended.code} can no longer be used.` }),
  });
  return noun;
}

function madeInWords(made: PromotionCode, lasts: CodeLasts): string {
  const limit = made.mostUses === null ? "" : `, ${counted(made.mostUses, "time")}`;
  const forMonths = lasts === "forever" ? "" : ` for ${lastsInWords(lasts)}`;
  const payments = lasts === "once" ? "" : ` of every payment of a subscription${forMonths}`;
  return `${made.code} takes off ${offInWords(made.off)}${payments}${limit}.`;
}

const months = upTo(maxMonths);

const readLasts = (text: string): CodeLasts =>
  text === "once" || text === "forever" ? text : { months: months(text) };
