import { expect, test } from "bun:test";
import { detailsText } from "@/web/screens/desk/audit/details-text";

test("sums in the log's details are money wherever their currency is known, and say what they are where it isn't", () => {
  const refund = { amount: 250 };
  expect(detailsText(refund, "usd")).toBe("Amount USD 2.50");
  expect(detailsText(refund, "jpy")).toBe("Amount JPY 250");
  expect(detailsText(refund)).toBe("Amount 250 in minor units");
  const terms = { name: "One month", amount: 200, currency: "usd", days: 30 };
  expect(detailsText({ before: { ...terms, amount: 150 }, after: terms })).toBe(
    "Amount from USD 1.50 to USD 2.00",
  );
});

test("changes read as words, and what is empty is left out", () => {
  const settled = {
    dispute: null,
    refunded: 250,
    before: { state: "succeeded", dispute: null, refunded: 0 },
  };
  expect(detailsText(settled, "usd")).toBe("Refunded USD 2.50, was succeeded");
  const began = { dispute: null, refunded: 0, before: { state: "open", dispute: null, refunded: 0 } };
  expect(detailsText(began, "usd")).toBe("Was open");
  const won = {
    dispute: "won",
    refunded: 0,
    before: { state: "disputed", dispute: "needs_response", refunded: 250 },
  };
  expect(detailsText(won, "usd")).toBe(
    "Dispute won, was disputed (Dispute needs response, Refunded USD 2.50)",
  );
  expect(detailsText({ before: "past_due" })).toBe("Was past due");
  expect(detailsText({ before: null })).toBe("");
  expect(detailsText({ before: "month", after: "year" })).toBe("From month to year");
  expect(detailsText({ before: 1, after: 3 })).toBe("From 1 to 3");
  expect(detailsText({ off: ["disputes", "jobs"], moved: [] })).toBe("Off disputes, jobs");
  expect(detailsText(null)).toBe("");
});
