import { expect, test } from "bun:test";
import { array, assert, constantFrom, oneof, property, string } from "fast-check";
import { email, typedEmail } from "@/contract/wire/accounts";
import {
  addressAtStripe,
  addressKey,
  canonicalAddress,
  isMailable,
  wireAddress,
} from "@/contract/vocabulary/addresses";

const spellings = {
  "ada@example.com": [
    "ADA@Example.COM",
    "ａｄａ@example.com",
    "ⓐⓓⓐ@example.com",
    "ada@ｅｘａｍｐｌｅ。com",
    "ada@ⓔxample.com",
    "a\u200bda@example.com",
    "a\u00adda@exam\u2060ple.com",
    " ada@example.com ",
  ],
  "rené@xn--exmple-cua.com": ["rene\u0301@exa\u0308mple.com", "RENÉ@EXÄMPLE.com", "rené@XN--EXMPLE-CUA.com"],
  "οδος@example.com": ["ΟΔΟΣ@example.com", "Οδος@example.com"],
};

test("every spelling of an address has the same comparison key", () => {
  for (const [key, typed] of Object.entries(spellings)) {
    expect(typed.map(addressKey)).toEqual(typed.map(() => key));
  }
  // other people
  const keys = ["a.da@example.com", "ada@example.de", "ada+1@example.com", "straße@a.de", "strasse@a.de"];
  expect(new Set(keys.map(addressKey)).size).toBe(keys.length);
});

test("the key of an ordinary address is the address in lower case", () => {
  for (const plain of ["Ada.O'Neil+x@Example.com", "a_b@ex_ample.co.uk", "a@1.2.3.44", "a@0x10.0x22"]) {
    expect(addressKey(plain)).toBe(plain.toLowerCase());
    expect(canonicalAddress(plain)).toBe(plain);
  }
});

test("an address is stored in the form that other people would write", () => {
  expect(canonicalAddress("Ａda@ｅxample。com")).toBe("Ada@example.com");
  expect(canonicalAddress("rene\u0301@exa\u0308mple.com")).toBe("rené@exämple.com");
  expect(canonicalAddress("ada@xn--exmple-cua.com")).toBe("ada@xn--exmple-cua.com");
  expect(wireAddress("rené@exa\u0308mple.com")).toBe("rené@xn--exmple-cua.com");
});

test("an address that nothing can be mailed to is refused", () => {
  const undeliverable = [
    "a\u200bda@example.com",
    "ada@exam\u00adple.com",
    "ada\u3164@example.com",
    "\u202eada@example.com",
    "ada＠other.com@example.com",
    "ada，eve@example.com",
    "ada@exam，ple.com",
    "ada@exam%70le.com",
    "ada@exam#ple.com",
    "ada@xn--zz.com",
    "ada@example..com",
    `ada@${"a".repeat(64)}.com`,
    `${"é".repeat(130)}@example.com`,
    `ada@${"ä".repeat(62)}.${"ä".repeat(62)}.${"ä".repeat(62)}.com`,
    "\ufdfa\ufdfa\ufdfa\ufdfa@example.com",
  ];
  for (const typed of undeliverable) {
    expect([typed, canonicalAddress(typed)]).toEqual([typed, null]);
    expect([typed, email.safeParse(typed).success]).toEqual([typed, false]);
  }
});

test("an address that Stripe took with dots in a row, or at an end, can be mailed to and identifies nobody", () => {
  for (const typed of ["a..b@example.com", ".ab@example.com", "ab.@example.com"]) {
    for (const schema of [email, typedEmail])
      expect([typed, schema.safeParse(typed).success]).toEqual([typed, false]);
    expect([typed, addressAtStripe(typed), isMailable(typed)]).toEqual([typed, typed, true]);
  }
  expect(email.safeParse("a．．b@example.com").success).toBe(false);
  expect(email.safeParse("a.b.c@example.co.uk").success).toBe(true);
});

test("the apostrophe of an address is read however a phone types it", () => {
  for (const typed of [
    "o'neil@example.com",
    "o’neil@example.com",
    "oʼneil@example.com",
    "o＇neil@example.com",
  ]) {
    expect([typed, email.safeParse(typed).data]).toEqual([typed, "o'neil@example.com"]);
    expect([typed, addressKey(typed)]).toEqual([typed, "o'neil@example.com"]);
    expect([typed, addressAtStripe(typed)]).toEqual([typed, "o'neil@example.com"]);
  }
  // other signs are other characters, and none of an address
  for (const typed of ["o‘neil@example.com", "o′neil@example.com", "o\u00b4neil@example.com"])
    expect([typed, email.safeParse(typed).success]).toEqual([typed, false]);
});

test("the alphabet is the same wherever an address is typed, stored or mailed to", () => {
  const good = [
    ..."#$&'*+-/=?^_`{|}~".split(""),
    ..."éßжयи字ก٣".split(""),
    "a=?b",
    "{a|b}",
    "x".repeat(64),
    "é".repeat(32),
  ].map((local) => `${local.length > 1 ? local : `a${local}b`}@example.com`);
  for (const typed of good) {
    expect([typed, email.safeParse(typed).data]).toEqual([typed, typed]);
    expect([typed, typedEmail.safeParse(typed).success]).toEqual([typed, true]);
    expect([typed, isMailable(typed)]).toEqual([typed, true]);
  }
  const bad = [
    ...'!%"(),:;<>@[]\\ \t\r\n\u00a0\u0000\u007f'.split(""),
    ..."€©→“\u2028\u202e\ue000".split(""),
    "🐻",
    "=?utf-8?q?=65=76=65=40example.org?=",
    "x=?a?b?c?=y",
    "=?==?=",
    "x".repeat(65),
    "é".repeat(33),
  ].map((local) => `${local.length > 2 ? local : `a${local}b`}@example.com`);
  for (const typed of bad) {
    expect([typed, email.safeParse(typed).success]).toEqual([typed, false]);
    expect([typed, typedEmail.safeParse(typed).success]).toEqual([typed, false]);
    expect([typed, isMailable(typed)]).toEqual([typed, false]);
  }
});

test("Stripe's address loses invisible characters, and stays as it is if nothing can be mailed to it", () => {
  expect(addressAtStripe("a\u200bda@example.com")).toBe("ada@example.com");
  expect(addressAtStripe("Ada@example.com")).toBe("Ada@example.com");
  expect(addressAtStripe("not an address")).toBe("not an address");
});

test("every accepted address can be mailed to, and accepting it again changes nothing", () => {
  const odd = constantFrom(
    ...Array.from("aZ09.-_+é\u0301ß。．ｅⓐ\u200b\u00ad\u3164İıΣςﬁ@，xn--℀Å字🐻\u202e"),
  );
  const word = array(oneof(odd, string({ unit: "binary", minLength: 1, maxLength: 1 })), {
    minLength: 1,
    maxLength: 12,
  });
  assert(
    property(word, word, (local, domain) => {
      const typed = `${local.join("")}@${domain.join("")}.com`;
      const key = addressKey(typed);
      const read = email.safeParse(typed);
      if (!read.success) return;
      expect(isMailable(read.data)).toBe(true);
      expect(isMailable(wireAddress(read.data))).toBe(true);
      expect(email.parse(read.data)).toBe(read.data);
      expect(addressKey(key)).toBe(key);
      expect(addressKey(read.data)).toBe(key);
      expect(addressKey(wireAddress(read.data))).toBe(key);
    }),
    { numRuns: 2_000 },
  );
});
