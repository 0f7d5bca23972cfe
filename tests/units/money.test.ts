import { expect, test } from "bun:test";
import { money } from "@/contract/money";

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
