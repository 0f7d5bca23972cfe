import { expect, test } from "bun:test";
import { minorUnits, money } from "@/contract/vocabulary/money";
import { minPrice, priceFault } from "@/contract/vocabulary/prices";

test("an amount is written with its currency's number of decimals", () => {
  expect(money(500, "usd")).toBe("USD 5.00");
  expect(money(1, "EUR")).toBe("EUR 0.01");
  expect(money(0, "usd")).toBe("USD 0.00");
  expect(money(1500, "jpy")).toBe("JPY 1,500");
  expect(money(1500, "kwd")).toBe("KWD 1.500");
  expect(money(123456789, "usd")).toBe("USD 1,234,567.89");
  expect(money(-150000, "usd")).toBe("USD -1,500.00");
  expect(money(1500, "isk")).toBe("ISK 15.00");
});

test("an amount is typed with a dot or a comma, but not so that it could be two amounts", () => {
  const typed = ["5", "4.99", "4,99", "4.990", "1,000"];
  expect(typed.map((text) => minorUnits(text, "usd"))).toEqual([500, 499, 499, null, null]);
  expect(typed.map((text) => minorUnits(text, "bhd"))).toEqual([5000, 4990, 4990, 4990, null]);
});

test("what is wrong with a price is one sentence, which names the amount", () => {
  expect(priceFault(50, "usd")).toBeNull();
  expect(priceFault(29, "usd")).toBe("USD 0.29 is too little: Stripe takes no less than USD 0.50.");
  expect(priceFault(100_000_000, "usd")).toBe(
    "USD 1,000,000.00 is too much: Stripe takes no more than USD 999,999.99.",
  );
  expect(priceFault(505, "kwd")).toBe("KWD 0.505 can't be paid: amounts in KWD must end with a zero.");
  expect(priceFault(150, "isk")).toBe("ISK 1.50 can't be paid: amounts in ISK must be whole.");
});

test("each currency has Stripe's least price, and one without any has its smallest coin", () => {
  expect([minPrice("usd"), minPrice("GBP"), minPrice("jpy"), minPrice("czk")]).toEqual([50, 30, 50, 1500]);
  expect(minPrice("kwd")).toBe(1);
});
