import { expect, test } from "bun:test";
import { clientAddress } from "@/api/route-guards";
import { networksOf } from "@/core/limits/networks";

const of = (forwarded: string) => clientAddress(forwarded, "9.9.9.9", 1);

test("the client is the address that the outermost trusted proxy saw", () => {
  expect(clientAddress("1.1.1.1, 2.2.2.2, 3.3.3.3", "9.9.9.9", 2)).toBe("2.2.2.2");
  expect(clientAddress("1.1.1.1", "9.9.9.9", 3)).toBe("1.1.1.1");
  expect(clientAddress(undefined, "9.9.9.9", 1)).toBe("9.9.9.9");
  expect(clientAddress("1.1.1.1", "9.9.9.9", 0)).toBe("9.9.9.9");
  expect(clientAddress("", "::ffff:9.9.9.9", 1)).toBe("9.9.9.9");
});

test("a port, brackets or a zone don't change the address", () => {
  for (const same of ["192.0.2.7", "192.0.2.7:1", "192.0.2.7:65535", " 192.0.2.7:443 "]) {
    expect(of(same)).toBe("192.0.2.7");
  }
  for (const same of [
    "2001:db8:0:1::1",
    "[2001:db8:0:1::1]",
    "[2001:db8:0:1::1]:50000",
    "[2001:db8:0:1::1%eth0]:443",
    "2001:db8:0:1::1%eth0",
    "2001:DB8:0:1:ffff:ffff:ffff:ffff",
    "2001:0db8::1:0:0:0:5",
  ]) {
    expect(of(same)).toBe("2001:db8:0:1::/64");
  }
  expect(of("2001:db8:0:2::1")).not.toBe(of("2001:db8:0:1::1"));
  expect(of("::1")).toBe("::/64");
});

test("an IPv4 address written as IPv6 is that IPv4 address", () => {
  for (const same of [
    "::ffff:192.0.2.7",
    "::FFFF:c000:207",
    "0:0:0:0:0:ffff:192.0.2.7",
    "[::ffff:192.0.2.7]:443",
    "[0:0:0:0:0:ffff:c000:0207]",
  ]) {
    expect(of(same)).toBe("192.0.2.7");
  }
});

test("a value that is not an address counts towards the proxy that sent it", () => {
  for (const text of [
    "unknown",
    "_hidden",
    "x".repeat(15_000),
    "192.0.2.7.",
    "1:2:3",
    "[::1",
    "[]:80",
    "%",
    "",
  ]) {
    expect(of(text)).toBe("9.9.9.9");
  }
  expect(clientAddress("unknown", "unknown", 1)).toBe("unknown");
});

test("an IPv6 address counts towards its /64, /56 and /48, each wider one with four times the limit", () => {
  expect(networksOf(of("2001:db8:a:bcd::1"))).toEqual([
    { network: "2001:db8:a:bcd::/64", share: 1 },
    { network: "2001:db8:a:b00::/56", share: 4 },
    { network: "2001:db8:a::/48", share: 16 },
  ]);
  expect(networksOf(of("2001:db8:a:ff::1")).map(({ network }) => network)).toContain("2001:db8:a::/56");
  expect(networksOf("192.0.2.7")).toEqual([{ network: "192.0.2.7", share: 1 }]);
});

test("an IPv6 address that represents an IPv4 address counts as that one", () => {
  for (const same of [
    "2002:c000:207::1",
    "2002:c000:207:abcd:1:2:3:4",
    "[2002:c000:0207::1]:443",
    "64:ff9b::192.0.2.7",
    "64:ff9b::c000:207",
    "::ffff:0:192.0.2.7",
    "2001:0:5ef5:79fd:0:59b:3fff:fdf8",
  ]) {
    expect([same, of(same)]).toEqual([same, "192.0.2.7"]);
  }
  for (const other of ["64:ff9b:1::c000:207", "2001:1::c000:207", "::c000:207", "2003:c000:207::1"])
    expect(of(other)).toEndWith("::/64");
});
