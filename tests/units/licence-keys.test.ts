import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { brand } from "@/brand/brand";
import { keyForms, maskKey, randomKey, readKey } from "@/domain/licences/keys/keys";

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const key = fc.constant(null).map(() => randomKey());

test("a key has the promised format", () => {
  fc.assert(
    fc.property(key, (made) =>
      expect(made).toMatch(new RegExp(`^${brand.keyPrefix}(-[${alphabet}]{4}){4}$`)),
    ),
  );
});

test("a key is read however it is typed: case, spaces, dashes, a missing prefix, O for 0 and I or L for 1", () => {
  const typings = [
    (made: string) => made.toLowerCase(),
    (made: string) => ` ${made.replaceAll("-", " ")} `,
    (made: string) => made.replaceAll("-", ""),
    (made: string) => made.replaceAll("-", "—"),
    (made: string) => made.slice(brand.keyPrefix.length + 1),
    (made: string) =>
      brand.keyPrefix + made.slice(brand.keyPrefix.length).replaceAll("0", "o").replaceAll("1", "l"),
    (made: string) => brand.keyPrefix + made.slice(brand.keyPrefix.length).replaceAll("1", "I"),
    (made: string) => made.replaceAll("-", "\u2212"),
    (made: string) => [...made].join("\u200b"),
    (made: string) => made.replaceAll("-", "\u00ad-"),
    (made: string) => made.replace(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0)),
    (made: string) => made.replace(/\d/g, (one) => "٠١٢٣٤٥٦٧٨٩"[Number(one)] ?? ""),
    (made: string) => `"${made}"`,
    (made: string) => `„${made.toLowerCase()}“.`,
    (made: string) => `\`${made}\``,
    (made: string) => `License key: ${made}`,
    (made: string) => `**License key:** \`${made}\`\n`,
  ];
  fc.assert(
    fc.property(key, fc.constantFrom(...typings), (made, type) => expect(readKey(type(made))).toBe(made)),
  );
});

test("any single wrong symbol is detected", () => {
  fc.assert(
    fc.property(key, fc.nat(15), fc.constantFrom(...alphabet.split("")), (made, at, other) => {
      const plain = made.slice(brand.keyPrefix.length + 1).replaceAll("-", "");
      if (plain[at] === other) return;
      expect(readKey(plain.slice(0, at) + other + plain.slice(at + 1))).toBeNull();
    }),
    { numRuns: 2000 },
  );
});

test("any two swapped symbols are detected", () => {
  fc.assert(
    fc.property(key, fc.nat(15), fc.nat(15), (made, one, other) => {
      const symbols = Array.from(made.slice(brand.keyPrefix.length + 1).replaceAll("-", ""));
      const [a = "", b = ""] = [symbols[one], symbols[other]];
      if (a === b) return;
      symbols[one] = b;
      symbols[other] = a;
      expect(readKey(symbols.join(""))).toBeNull();
    }),
    { numRuns: 2000 },
  );
});

test("anything that can't be a key is refused", () => {
  for (const typed of [
    "",
    "WISP",
    "WISP-",
    "-",
    "WISP-0000-0000-0000",
    "U".repeat(16),
    "🔑".repeat(16),
    "\0",
  ]) {
    expect(readKey(typed)).toBeNull();
  }
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 64 }), (typed) => void readKey(typed)));
});

test("a masked key shows its last group and nothing else", () => {
  expect(maskKey("WISP-ABCD-EFGH-JKMN-PQRS")).toBe("WISP-••••-••••-••••-PQRS");
});

test("a key is looked up as it was pasted, and then as it is read", () => {
  const made = randomKey();
  expect(keyForms(made)).toEqual([made]);
  expect(keyForms(` ${made.toLowerCase()}`).slice(0, 1)).toEqual([made.toLowerCase()]);
  expect(keyForms(`Key: ${made}`)).toContain(made);
  // keys of another shop
  expect(keyForms("a\u0308b=cd/ef+gh~1234")[0]).toBe("äb=cd/ef+gh~1234");
  expect(keyForms(" abcdef–１２３４５６_")).toEqual([
    "abcdef–１２３４５６_",
    "ABCDEF-123456_",
    "ABCDEF-123456",
  ]);
  expect(keyForms("'ABCDEF-123456'")).toEqual(["'ABCDEF-123456'", "ABCDEF-123456"]);
});
