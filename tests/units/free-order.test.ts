import { expect, test } from "bun:test";
import { type Discount, makesSeveralFree } from "@/domain/payments/port/promotion-code";

const cases: [what: string, discount: Discount | null, quantity: number, frees: boolean][] = [
  ["the whole price of one key", { percent: 100 }, 1, false],
  ["the whole price", { percent: 100 }, 2, true],
  ["all but less than one cent", { percent: 99.95 }, 3, true],
  ["all but a few cents", { percent: 99 }, 100, false],
  ["half", { percent: 50 }, 2, false],
  ["the price of one of them", { amounts: { usd: 500 } }, 2, false],
  ["exactly the price of all", { amounts: { usd: 1000 } }, 2, true],
  ["more than the price of all", { amounts: { usd: 100_000 } }, 100, true],
  ["an amount in another currency", { amounts: { eur: 1000 } }, 2, false],
  ["an amount in several currencies", { amounts: { eur: 1, usd: 1000 } }, 2, true],
  ["nobody knows what", null, 2, true],
  ["nobody knows what, of one key", null, 1, false],
];

for (const [what, discount, quantity, frees] of cases) {
  test(`a code that takes off ${what} ${frees ? "frees" : "does not free"} an order of ${quantity}`, () => {
    expect(makesSeveralFree(discount, { amount: 500, currency: "usd", quantity })).toBe(frees);
  });
}
