import { expect, test } from "bun:test";
import { typedText } from "@/contract/wire/tickets";

test("a text that nobody can see is no text", () => {
  const unseen = ["\u200b\u200b", "\u2060", "\ufeff \u00ad", "\u3164", "\u2800", "\u{e0020}"];
  expect(unseen.filter((text) => typedText(10).safeParse(text).success)).toEqual([]);
});

test("a text keeps the joiners inside it", () => {
  const family = "\u{1f468}\u200d\u{1f469}";
  expect(typedText(10).parse(family)).toBe(family);
  expect(typedText(10).parse("❤️")).toBe("❤️");
});
