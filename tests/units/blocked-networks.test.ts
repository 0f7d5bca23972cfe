import { expect, test } from "bun:test";
import { clientAddress } from "@/api/route-guards";
import { parseNetwork, prefixesOf } from "@/core/limits/networks";

const contains = (network: string, address: string) =>
  prefixesOf(clientAddress(undefined, address, 0)).includes(parseNetwork(network) ?? "none");

test("an address or network has one spelling, without the host's bits", () => {
  const written = {
    "192.0.2.7": "192.0.2.7/32",
    " 192.0.2.77/24 ": "192.0.2.0/24",
    "10.200.3.4/9": "10.128.0.0/9",
    "::ffff:192.0.2.7": "192.0.2.7/32",
    "2001:DB8:0:7:1::9": "2001:db8:0:7::/64",
    "2001:db8:0:7:1::9/128": "2001:db8:0:7::/64",
    "2001:db8:ffff::/33": "2001:db8:8000::/33",
    "2001:db8::/32": "2001:db8::/32",
  };
  for (const [typed, network] of Object.entries(written)) expect(parseNetwork(typed)).toBe(network);
});

test("anything that isn't a network, or covers half the world, is refused", () => {
  for (const typed of [
    "",
    "example.com",
    "192.0.2",
    "192.0.2.0/",
    "192.0.2.0/33",
    "0.0.0.0/0",
    "10.0.0.0/7",
  ]) {
    expect(parseNetwork(typed)).toBeNull();
  }
  for (const typed of [
    "::/0",
    "2000::/3",
    "2001:db8::/129",
    "2001:db8::1%eth0",
    "192.0.2.0/-8",
    "192.0.2.0/8/8",
  ]) {
    expect(parseNetwork(typed)).toBeNull();
  }
});

test("an address is in exactly the networks around it", () => {
  expect(contains("192.0.2.0/24", "192.0.2.255")).toBe(true);
  expect(contains("192.0.2.0/24", "::ffff:192.0.2.1")).toBe(true);
  expect(contains("192.0.2.0/24", "192.0.3.0")).toBe(false);
  expect(contains("192.0.2.128/25", "192.0.2.127")).toBe(false);
  expect(contains("2001:db8:7::/48", "2001:db8:7:ffff::1")).toBe(true);
  expect(contains("2001:db8:7::/48", "2001:db8:8::1")).toBe(false);
  expect(contains("2001:db8:7:1::5", "2001:db8:7:1:ffff::1")).toBe(true);
  expect(contains("2001:db8:7:1::5", "2001:db8:7:2::5")).toBe(false);
  expect(prefixesOf("unknown")).toEqual([]);
});

test("a blocked IPv4 network contains its hosts by 6to4, NAT64 and Teredo too, however it was typed", () => {
  const blocked = ["192.0.2.0/24", "2002:c000:200::/40", "64:ff9b::192.0.2.0/120", "::ffff:192.0.2.0/120"];
  for (const network of blocked) {
    expect(parseNetwork(network)).toBe("192.0.2.0/24");
    for (const inside of ["192.0.2.9", "2002:c000:209::1", "64:ff9b::192.0.2.9", "::ffff:192.0.2.9"])
      expect([network, inside, contains(network, inside)]).toEqual([network, inside, true]);
    for (const outside of ["192.0.3.9", "2002:c000:309::1", "64:ff9b::192.0.3.9"])
      expect([network, outside, contains(network, outside)]).toEqual([network, outside, false]);
  }
  expect(parseNetwork("2002:c000:207:1::5")).toBe("192.0.2.7/32");
  for (const wide of ["2002::/16", "2002:c000::/20", "::ffff:0:0/96", "64:ff9b::/96"])
    expect(parseNetwork(wide)).toBeNull();
});
