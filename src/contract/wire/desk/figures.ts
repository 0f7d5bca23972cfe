import { z } from "zod";
import { instant, level } from "../envelope";
import { deskActor } from "./rows";

const date = z.iso.date().describe("A day in the shop's `TIME_ZONE`, such as `2026-01-31`");
const money = z.int().describe("Minor units");
const number = z.int().min(0);

/** The range of days; `figures/offers` and `figures/codes` take no other fields. */
const range = {
  from: date.optional().describe("The first day; by default 29 days before `to`"),
  to: date.optional().describe("The last day, which is included; by default today"),
  currency: z
    .string()
    .regex(/^[a-z]{3}$/)
    .optional()
    .describe("One of `currencies`; by default the shop's currency"),
};

const offer = z.string().min(1).max(64).optional().describe("The id of an offer, for its figures alone");

export const figuresRange = z.strictObject(range);

/** `GET /api/desk/figures` */
export const figuresQuestion = z.strictObject({
  ...range,
  bucket: z.enum(["day", "week", "month"]).default("day"),
  offer,
});

const sales = {
  gross: money.describe("What was paid, counted at the time of the charge"),
  refunded: money.describe("Successful refunds, each counted at the time of the refund"),
  disputed: z.int().describe("What disputes took, less what banks returned"),
  net: z.int().describe("gross − refunded − disputed"),
  payments: number,
  average: z.int().nullable().describe("gross ÷ payments"),
  orders: number.describe("Checkouts that ended in a license, including free ones"),
};
const checkouts = {
  checkouts: number.describe("Checkouts that were opened"),
  conversion: z.number().nullable().describe("orders ÷ checkouts"),
};
const atTheEnd = {
  active_licences: z.int().describe("At the end of the range, or now if that is earlier"),
  mrr: z.int().nullable().describe("Null where no offer recurs"),
};

const figures = z.object({
  ...sales,
  ...checkouts,
  new_accounts: number.nullable().describe("Null with `offer`"),
  ...atTheEnd,
});

const asked = { from: z.iso.date(), to: z.iso.date(), tz: z.string(), currency: z.string() };

export const deskFigures = z.object({
  ...asked,
  bucket: z.enum(["day", "week", "month"]),
  currencies: z.array(z.string()).describe("The shop's currency, and any other in which something was sold"),
  totals: figures,
  previous: figures.describe("The figures of as many days before"),
  by_level: z
    .array(z.object({ level, ...sales, ...atTheEnd }))
    .nullable()
    .describe("The figures of each level, the lowest first; null with `offer`"),
  series: z
    .array(z.object({ date: z.iso.date().describe("The first day of the bucket"), ...figures.shape }))
    .describe("Oldest first, without gaps; at most 400"),
});

export type DeskFigures = z.infer<typeof deskFigures>;

export const figuresByOffer = z.object({
  ...asked,
  rows: z.array(
    z.object({
      offer: z.string(),
      name: z.string(),
      retired: z.boolean(),
      ...sales,
      ...checkouts,
      ...atTheEnd,
    }),
  ),
});

export const figuresByCode = z.object({
  ...asked,
  rows: z
    .array(z.object({ code: z.string(), ...sales, off: money.describe("What the code took off") }))
    .describe("Codes that were used, those with the most orders first; at most 400"),
});

/** `GET /api/desk/figures/subscriptions` */
export const subscriptionsQuestion = z.strictObject({ ...range, offer });

export const figuresOfSubscriptions = z
  .object({
    ...asked,
    running: z
      .object({ start: number, end: number })
      .describe(
        "Subscriptions that counted in `mrr` when the range began, and when it ended or now if that is earlier",
      ),
    started: number.describe(
      "Subscriptions that were first paid for in the range; one without a trial starts when it is sold",
    ),
    ended: number.describe(
      "Subscriptions that ended in the range. Trials that were never paid don't count, and switching to another offer ends nothing",
    ),
    churn: z.number().nullable().describe("ended ÷ running.start"),
    trials: z
      .object({
        begun: number.describe("Trials that began in the range"),
        paid: number.describe("Those of them that were paid for since"),
        running: number.describe("Those of them that still run and weren't canceled"),
      })
      .describe("What became of them until now"),
    payments: z
      .object({
        failed: number.describe("How often a charge failed in the range and left a subscription past due"),
        recovered: number.describe("How many of those subscriptions were paid for since"),
      })
      .describe("What became of them until now"),
    more: z
      .boolean()
      .describe(
        "Whether something that is counted here happened more often than the newest 100,000 times, which alone were read",
      ),
  })
  .nullable()
  .describe(
    "Null where no offer ever recurred. With `offer`, `running` counts what ran under it then, and all else what runs under it now or did at its end",
  );
export type FiguresOfSubscriptions = NonNullable<z.infer<typeof figuresOfSubscriptions>>;

/** `GET /api/desk/figures/support` */
export const supportQuestion = z.strictObject({ from: range.from, to: range.to });

const waits = z
  .object({ median: z.int(), p90: z.int().describe("The 90th percentile") })
  .nullable()
  .describe("In seconds; null if nothing was counted");
const stars = z.object({ count: number, average: z.number().nullable() });
const work = {
  opened: number,
  first_answer: waits,
  stars,
};

export const figuresOfSupport = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  tz: z.string(),
  totals: z.object({
    ...work,
    closed: number,
    closing: waits.describe("From opening to closing, in seconds"),
  }),
  months: z
    .array(z.object({ month: z.iso.date(), ...work, closed: number, closing: waits }))
    .describe("By the first day of each month; the first one's is `from`. Oldest first, without gaps"),
  topics: z
    .array(z.object({ topic: z.string(), ...work, closed: number, closing: waits }))
    .describe("The topic with the most opened tickets first"),
  people: z
    .array(z.object({ by: deskActor, ...work }))
    .describe(
      "By who gave the first answer; `opened` counts the tickets that they answered. The one with the most comes first",
    ),
  comments: z
    .array(
      z.object({
        ticket: z.object({ id: z.string(), number: z.int() }),
        stars: z.int(),
        comment: z.string(),
        opened_at: instant,
      }),
    )
    .describe("What customers wrote with their rating, newest first; at most 50"),
  more: z.boolean().describe("Whether there were more than the newest 20,000 tickets, which alone were read"),
});
export type FiguresOfSupport = z.infer<typeof figuresOfSupport>;
