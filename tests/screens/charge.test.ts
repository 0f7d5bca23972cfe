import { expect, test } from "bun:test";
import type { CheckedCode, Offer } from "@/contract/wire/offers";
import { actText, chargeSentence, priceTail } from "@/web/parts/offers/charge";

const now = new Date("2026-11-28T12:00:00.000Z");
const once: Offer = {
  id: "premium",
  name: "Wisp Premium",
  amount: 500,
  currency: "usd",
  days: null,
  devices: 1,
  level: { id: "premium", name: "Wisp Premium" },
  includes: [],
  features: [],
  recurring: null,
};
const every = (interval: "month" | "year", trialDays: number | null = null, amount = 300): Offer => ({
  ...once,
  amount,
  recurring: { interval, trial_days: trialDays },
});
const code = (lasts: CheckedCode["lasts"], amount = 240): CheckedCode => ({
  amount,
  off: 60,
  lasts,
  sure: true,
});

const charges: [offer: Offer, code: CheckedCode | undefined, sentence: string, tail: string][] = [
  [once, undefined, "One payment of $5.00. The license never expires.", "Lifetime"],
  [
    { ...once, days: 30, devices: 3 },
    undefined,
    "One payment of $5.00 for 30 days. It doesn't renew.",
    "30 days, 3 computers",
  ],
  [once, code("once", 440), "One payment of $4.40. The license never expires.", "Lifetime"],
  [once, code("once", 0), "You pay nothing. The license never expires.", "Lifetime"],
  [every("month"), undefined, "$3.00 a month, starting today. Cancel any time.", "/ month"],
  [
    every("month", 7),
    undefined,
    "Free until Dec 5, then $3.00 a month. Cancel any time.",
    "/ month · 7 days free",
  ],
  [
    every("year", 365),
    undefined,
    "Free until Nov 28, 2027, then $3.00 a year. Cancel any time.",
    "/ year · 365 days free",
  ],
  [every("month"), code("once"), "$2.40 today, then $3.00 a month. Cancel any time.", "for the first month"],
  [every("month"), code("forever"), "$2.40 a month, starting today. Cancel any time.", "/ month"],
  [
    every("month"),
    code(3),
    "$2.40 a month for 3 months, then $3.00 a month. Cancel any time.",
    "/ month for 3 months",
  ],
  [every("year"), code(3), "$2.40 today, then $3.00 a year. Cancel any time.", "for the first year"],
  [
    every("month", 7),
    code("once"),
    "Free until Dec 5, then $2.40 for a month, then $3.00 a month. Cancel any time.",
    "for the first month · 7 days free",
  ],
  // a code's months begin at the checkout, so that a trial takes one of them
  [
    every("month", 31),
    code(2),
    "Free until Dec 29, then $2.40 for a month, then $3.00 a month. Cancel any time.",
    "for the first month · 31 days free",
  ],
  [
    every("month", 31),
    code(1),
    "Free until Dec 29, then $3.00 a month. Cancel any time.",
    "/ month · 31 days free",
  ],
];

for (const [offer, checked, sentence, tail] of charges)
  test(`the charge is said in one sentence: ${sentence}`, () => {
    expect(chargeSentence(offer, { quantity: 1, code: checked, now })).toBe(sentence);
    expect(priceTail(offer, checked, now)).toBe(tail);
  });

test("a code for a month ends on the last day of a month without its day, as at Stripe", () => {
  const terms = { quantity: 1, code: code(1), now: new Date("2027-01-31T12:00:00.000Z") };
  expect(chargeSentence(every("month", 30), terms)).toBe(
    "Free until Mar 2, then $3.00 a month. Cancel any time.",
  );
});

test("several keys are one payment", () => {
  const terms = { quantity: 3, code: undefined, now };
  expect(chargeSentence(once, terms)).toBe("One payment of $15.00. The keys never expire.");
  expect(chargeSentence({ ...once, days: 1 }, terms)).toBe("One payment of $15.00. Each key lasts 1 day.");
});

test("the button names the act", () => {
  const labels = [once, every("month"), every("month", 7)].map((offer) => actText(offer, "Purchase Premium"));
  expect(labels).toEqual(["Purchase Premium", "Subscribe", "Start free trial"]);
});
