import { expect, test } from "bun:test";
import { detailsText } from "@/web/screens/desk/audit/details-text";

test("sums in the log's details are money wherever their currency is known, and say what they are where it isn't", () => {
  const refund = { amount: 250 };
  expect(detailsText(refund, "usd")).toBe("Amount USD 2.50");
  expect(detailsText(refund, "jpy")).toBe("Amount JPY 250");
  expect(detailsText(refund)).toBe("Amount 250 in minor units");
  const terms = { name: "One month", amount: 200, currency: "usd", days: 30 };
  expect(detailsText({ before: { ...terms, amount: 150 }, after: terms })).toBe(
    "Before (Name One month, Amount USD 1.50, Currency usd, Days 30), After (Name One month, Amount USD 2.00, Currency usd, Days 30)",
  );
});

test("details in details read as words, and what is empty is left out", () => {
  const settled = {
    dispute: null,
    refunded: 250,
    before: { state: "succeeded", dispute: null, refunded: 0 },
  };
  expect(detailsText(settled, "usd")).toBe("Refunded USD 2.50, Before (State succeeded, Refunded USD 0.00)");
  expect(detailsText({ off: ["disputes", "jobs"], moved: [] })).toBe("Off disputes, jobs");
  expect(detailsText(null)).toBe("");
});
