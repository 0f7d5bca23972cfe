import { expect, test } from "bun:test";
import { bareKey, plainTyped, readUserCode, typedCode } from "@/contract/vocabulary/typed-codes";

const everyDigit = Array.from({ length: 0x11_0000 }, (_, point) => point)
  .filter((point) => point < 0xd800 || point > 0xdfff)
  .map((point) => String.fromCodePoint(point))
  .filter((character) => /\p{Nd}/u.test(character));

test("every decimal digit of Unicode is read as one of ours", () => {
  expect(everyDigit.length).toBeGreaterThan(500);
  // each script's digits stand in a row from nought to nine
  const read = everyDigit.map(plainTyped).join("");
  expect(read).toBe("0123456789".repeat(everyDigit.length / 10));
});

test("a code is read in any digits, with any dashes, and whatever is invisible in it", () => {
  for (const typed of [
    "123456",
    "１２３４５６",
    "١٢٣٤٥٦",
    "१२३४५६",
    "𝟏𝟐𝟑𝟒𝟓𝟔",
    "123-456",
    "123–456",
    "123\u2212456",
    "123－456",
    "123ー456",
    " 123 456\n",
    "123\u00a0456",
    "123\u200b456",
    "\ufeff1\u00ad2\u20603\u200e4\u200d5\ufe0f6",
    "\u202a123456\u202c",
    "123\u0002456",
  ]) {
    expect([typed, typedCode(typed)]).toEqual([typed, "123456"]);
  }
  expect(typedCode("ab3de-fgh1j")).toBe("AB3DEFGH1J");
  expect(typedCode("12345")).toBe("12345");
});

test("the code that an application shows is read however it is typed", () => {
  for (const typed of [
    "bdwp-hqrs",
    " b d w p – h q r s ",
    "ＢＤＷＰ－ＨＱＲＳ",
    "BDWP\u2212HQRS",
    "B D W P H Q R S",
    "BDWP\u200b-HQRS",
  ]) {
    expect([typed, readUserCode(typed)]).toEqual([typed, "BDWP-HQRS"]);
  }
  for (const typed of ["", "BDWP", "AEIO-UAEI", "BDWP-HQRS-B", "BDWP-HQR", "BDWP-HQRA", "BDWP-HQRY"])
    expect(readUserCode(typed)).toBeNull();
});

test("quotes, punctuation and one label around a key are cut", () => {
  for (const typed of [
    '"AB-12"',
    "“AB-12”",
    "«AB-12»",
    "'AB-12'",
    "`AB-12`",
    "```\nAB-12\n```",
    "(AB-12).",
    "License key: AB-12",
    "License key： AB-12",
    "Your key:\n\n`AB-12`,",
    "**Key:** AB-12",
    '"key": "AB-12"',
    "> AB-12",
    "– AB-12",
  ]) {
    expect([typed, bareKey(typed)]).toEqual([typed, "AB-12"]);
  }
  expect(bareKey("one: two: AB-12")).toBe("two: AB-12");
  expect(bareKey("\"'`:")).toBe("");
});
