import { expect, test } from "bun:test";
import { oneLine } from "@/contract/vocabulary/plain-words";

test("typed text becomes one line, without characters that reorder the text beside it", () => {
  for (const sign of ["\n", "\r\n", "\u2028", "\u2029", "\u0085", "\v", "\t", "\0", "\u001b"])
    expect(oneLine(`My PC${sign}Role: owner`)).toBe("My PC Role: owner");
  for (const sign of ["\u202e", "\u2066", "\u2069", "\u200f", "\u061c"])
    expect(oneLine(`My${sign} PC`)).toBe("My PC");
  expect(oneLine(" \n ")).toBe("");
});

test("other names stay as they are", () => {
  for (const name of ["Jörgs Rechner", "👩‍💻 desk", "رایانه‌ی من", "מחשב", "J.R. #3"])
    expect(oneLine(name)).toBe(name);
});
