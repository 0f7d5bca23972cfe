import { expect, test } from "bun:test";
import { refusalCodes, refusals } from "@/contract/vocabulary/refusals";
import { texts } from "@/contract/vocabulary/texts";
import { fullSentenceOf, sentenceOf } from "@/core/base/refusal";

const quoted = new Set<unknown>(Object.values(texts));

test("a refusal ends with one full stop, but for a sentence of the specification, which stays to the letter", () => {
  for (const code of refusalCodes) {
    const { sentence } = refusals[code];
    if (quoted.has(sentence)) expect(sentenceOf({ code })).toBe(sentence);
    else expect(sentenceOf({ code })).toMatch(/[^.]\.$/);
  }
});

test("Discord and the command line end every sentence with one, and a third party's stays as it is", () => {
  for (const code of refusalCodes) expect(fullSentenceOf({ code })).toMatch(/[^.]\.$/);
  const detail = { sentence: "No such coupon" };
  expect(sentenceOf({ code: "code_refused", detail })).toBe("No such coupon");
  expect(fullSentenceOf({ code: "code_refused", detail })).toBe("No such coupon");
});

test("what is blocked says whom to ask, and a limit says how long to wait, as specified", () => {
  expect(sentenceOf({ code: "blocked", detail: { blocked: "email" } })).toMatch(
    /^That email address is blocked\. Please write to \S+@\S+\w\.$/,
  );
  expect(sentenceOf({ code: "rate_limited", detail: { retryAfterSeconds: 7 } })).toBe(
    "Too many requests, please try again in 7 seconds",
  );
});
