import { z } from "zod";
import { instant, timezone } from "../envelope";
import { deskActor } from "./rows";

const date = z.iso.date().describe("A day of the time zone, `2026-01-31`");
const money = z.int().describe("Minor units");
const number = z.int().min(0);

/** Which days; `figures/offers` and `figures/codes` take nothing else. */
const range = {
  from: date.optional().describe("The first day; by default the 30 days up to `to`"),
  to: date.optional().describe("The last day, counted too; by default today"),
  tz: timezone.optional().describe("The time zone of the days; by default the shop's `TIME_ZONE`"),
  currency: z
    .string()
    .regex(/^[a-z]{3}$/)
    .optional()
    .describe("One of `currencies`; by default the shop's"),
};

export const figuresRange = z.strictObject(range);

/** `GET /api/desk/figures` */
export const figuresQuestion = z.strictObject({
  ...range,
  bucket: z.enum(["day", "week", "month"]).default("day"),
  offer: z.string().min(1).max(64).optional().describe("Only this offer's; its id"),
});

const sales = {
  gross: money.describe("What was paid, at the time of the charge"),
  refunded: money.describe("Succeeded refunds, each at its own time"),
  disputed: z.int().describe("What disputes took, less what banks gave back"),
  net: z.int().describe("gross − refunded − disputed"),
  payments: number,
  average: z.int().nullable().describe("gross ÷ payments"),
  orders: number.describe("Checkouts that gave a license, free ones too"),
};
const checkouts = {
  checkouts: number.describe("Checkouts that began"),
  conversion: z.number().nullable().describe("orders ÷ checkouts"),
};
const atTheEnd = {
  active_licences: z.int().describe("At the end, or now if that lies ahead"),
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
  currencies: z.array(z.string()).describe("The shop's, and others in which something was sold"),
  totals: figures,
  previous: figures.describe("Of as many days right before"),
  series: z
    .array(z.object({ date: z.iso.date().describe("The first day"), ...figures.shape }))
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
    .describe("Codes that were used; the most orders first, at most 400"),
});

/** `GET /api/desk/figures/support` */
export const supportQuestion = z.strictObject({ from: range.from, to: range.to, tz: range.tz });

const waits = z
  .object({ median: z.int(), p90: z.int().describe("The 90th percentile") })
  .nullable()
  .describe("Seconds; null where there is none");
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
  totals: z.object({ ...work, closed: number, closing: waits.describe("From opening to closing, seconds") }),
  topics: z
    .array(z.object({ topic: z.string(), ...work, closed: number, closing: waits }))
    .describe("The most opened first"),
  people: z
    .array(z.object({ by: deskActor, ...work }))
    .describe("By who answered first; `opened` are the tickets that they answered. The most first"),
  comments: z
    .array(
      z.object({
        ticket: z.object({ id: z.string(), number: z.int() }),
        stars: z.int(),
        comment: z.string(),
        opened_at: instant,
      }),
    )
    .describe("What customers wrote beside the stars, the newest first, at most 50"),
  more: z.boolean().describe("Whether there were more tickets than were read: the newest 20,000"),
});
export type FiguresOfSupport = z.infer<typeof figuresOfSupport>;
