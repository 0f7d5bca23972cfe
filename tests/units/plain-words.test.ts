import { expect, test } from "bun:test";
import { arePlainWords } from "@/contract/vocabulary/plain-words";

test("ordinary messages are plain", () => {
  const texts = [
    "J.R.",
    "3.14",
    "From J.R. and A.B.C., with love",
    "Happy birthday! See you at 8.30 p.m., or on 24.12.2026.",
    "Wait... what?..yes",
    "It costs 4.99, version 2.0.1 of it",
    "Note: bring cake; ratio 3:2",
    "@ada says hi :) <3 #1 & 100 %",
    "and/or 50/50",
    "おめでとう。楽しんでね。",
    "سلام، تولدت مبارک",
    "👨‍👩‍👧 🎂",
    "Call +49 30 1234567",
    "1.2.3.4.5",
    "end of a line.\nNext one",
    "Line one\r\n\tLine two",
    "",
  ];
  expect(texts.filter((text) => !arePlainWords(text))).toEqual([]);
});

test("text that a mail program would turn into a link is not plain", () => {
  const texts = [
    "example.com",
    "see EXAMPLE.COM now",
    "t.me/evil",
    "(bit.ly/x)",
    "go.to",
    "https://x",
    "http://[::1]/",
    "HTTPS:\\\\//x",
    "ftp://x",
    "app+x://open",
    "www.evil",
    "WWW.evil",
    "mailto:ada",
    "javascript:alert(1)",
    "tel:123",
    "magnet:?xt=1",
    "ada@example.com",
    "ada@localhost",
    "10.0.0.1",
    "at 192.168.0.1:8080/x",
    "\\\\server\\share",
    "exämple.de",
    "пример.рф",
    "例え.テスト",
    "❤.ws",
    "xn--e1afmkfd.xn--p1ai",
    "a.xn--p1ai",
    "example。com",
    "example．com",
    "example｡com",
    "example․com",
    "example﹒com",
    "ｅｘａｍｐｌｅ．ｃｏｍ",
    "ⓔⓧⓐⓜⓟⓛⓔ.ⓒⓞⓜ",
    "exam\u200bple.\u200bcom",
    "example.\u00adcom",
    "example.c\u034fom",
    "\u202emoc.elpmaxe",
    "a\u2028b",
    "ada＠example.com",
    "１０.０.０.１",
  ];
  expect(texts.filter(arePlainWords)).toEqual([]);
});
