import { describe, expect, test } from "bun:test";
import { checkUrl } from "@/domain/webhooks/endpoint-url";
import { isGloballyReachable } from "@/domain/webhooks/reachable-addresses";
import { retryAfterMilliseconds } from "@/gateways/webhooks/exchange";

const urlOrProblem = (url: string, allowed = {}) => {
  const checked = checkUrl(url, allowed);
  return checked.ok ? checked.url.href : checked.problem;
};
const misclassified = (addresses: string, reachable: boolean) =>
  addresses
    .trim()
    .split(/\s+/)
    .filter((address) => isGloballyReachable(address) !== reachable);

describe("addresses", () => {
  test("addresses that IANA does not list as globally reachable are refused, at both ends of each block", () => {
    const inner = `
      0.0.0.0 0.255.255.255  10.0.0.0 10.255.255.255  100.64.0.0 100.127.255.255  127.0.0.1 127.255.255.255
      169.254.0.0 169.254.169.254 169.254.255.255  172.16.0.0 172.31.255.255  192.0.0.0 192.0.0.8 192.0.0.11 192.0.0.170
      192.0.0.255  192.0.2.0 192.0.2.255  192.88.99.0 192.88.99.2 192.88.99.255  192.168.0.0 192.168.255.255
      198.18.0.0 198.19.255.255  198.51.100.0 198.51.100.255  203.0.113.0 203.0.113.255  224.0.0.1 239.255.255.255
      240.0.0.0 255.255.255.254 255.255.255.255
      :: ::1 ::2 100:: 100::ffff:ffff:ffff:ffff 100:0:0:1::1 200::1 1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
      2001:: 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:1:: 2001:1::4 2001:2::1 2001:4:111:ffff:ffff:ffff:ffff:ffff
      2001:4:113:: 2001:5::1 2001:10::1 2001:1f:ffff:ffff:ffff:ffff:ffff:ffff 2001:40:: 2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff
      2001:db8:: 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff 2002:: 2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff
      3fff:: 3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff 4000:: 5f00::1 64:ff9b:1::1 64:ff9b:1:ffff:ffff:ffff:ffff:ffff
      fc00:: fd00::1 fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff fe80::1 febf::1 fec0::1 ff02::1 ffff::`;
    expect(misclassified(inner, false)).toEqual([]);
  });

  test("a private IPv4 address is refused in every IPv6 spelling, as are addresses with a zone and text that is no address", () => {
    const inner = `
      ::ffff:127.0.0.1 ::ffff:7f00:1 0:0:0:0:0:ffff:7f00:0001 ::FFFF:10.0.0.1 ::ffff:0:127.0.0.1 ::127.0.0.1 ::7f00:1
      64:ff9b::127.0.0.1 64:ff9b::7f00:1 64:ff9b::10.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b::192.168.0.1 64:ff9b:1::127.0.0.1
      2002:7f00:1:: 2002:a00:1::1 2002:c0a8:1::1 2001:0:7f00:1:: 2001::f5ff:fffe
      fe80::1%eth0 2606:4700::1%eth0 ::1%lo 127.1 0x7f.1 2130706433 0177.0.0.1 localhost [::1] 1.1.1.1.1 x`;
    expect(misclassified(inner, false)).toEqual([]);
    // IPv4-mapped addresses are all refused
    expect(isGloballyReachable("::ffff:1.1.1.1")).toBe(false);
  });

  test("globally reachable addresses are accepted, beside the refused blocks and in the exceptions within them", () => {
    const outer = `
      1.0.0.0 1.1.1.1 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255
      169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.0.9 192.0.0.10 192.0.1.0 192.0.1.255 192.0.3.0
      192.31.196.1 192.52.193.1 192.88.98.255 192.88.100.0 192.167.255.255 192.169.0.0 192.175.48.1 198.17.255.255
      198.20.0.0 198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0 223.255.255.255
      2000::1 2001:1::1 2001:1::2 2001:1::3 2001:3::1 2001:4:112::1 2001:20::1 2001:3f:ffff:ffff:ffff:ffff:ffff:ffff
      2001:200::1 2001:db7:ffff:ffff:ffff:ffff:ffff:ffff 2001:db9:: 2003::1 2606:4700::1111 2620:4f:8000::1
      2a00:1450:4001::200e 3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff 3fff:1000:: 64:ff9b::1.1.1.1 64:ff9b::808:808`;
    expect(misclassified(outer, true)).toEqual([]);
  });
});

describe("an endpoint's URL", () => {
  test("a URL that leads to a private address is refused however it is written", () => {
    const inner = `
      https://127.0.0.1 https://127.1 https://127.0.1 https://2130706433 https://0x7f000001 https://0x7f.1
      https://0177.0.0.1 https://017700000001 https://0x7f.0x0.0x0.0x1 https://127.0.0.1. https://127.0.0.1:8443/x
      https://%31%32%37.0.0.1 https://①②⑦.⓪.⓪.① https://127。0。0。1 https://１２７.0.0.1 https://0 https://0x
      https://10.1 https://169.254.169.254/latest https://2852039166 https://192.168.1.1 https://3232235777
      https://[::] https://[::1] https://[0:0:0:0:0:0:0:1] https://[::ffff:127.0.0.1] https://[::ffff:7f00:1]
      https://[::127.0.0.1] https://[64:ff9b::7f00:1] https://[64:ff9b::10.0.0.1] https://[2002:7f00:1::]
      https://[fe80::1] https://[fd12:3456::1] https://[ff02::1] https://localhost https://localhost.
      https://LOCALHOST https://ｌｏｃａｌｈｏｓｔ https://a.localhost https://printer.local https://metadata.google.internal
      https://metadata.google.internal. https://nas.home.arpa https://intranet`;
    const spellings = inner.trim().split(/\s+/);
    expect(spellings.length).toBeGreaterThan(25);
    expect(spellings.filter((url) => urlOrProblem(url) !== "inner_address")).toEqual([]);
    expect(spellings.filter((url) => !checkUrl(url, { allowPrivate: true }).ok)).toEqual([]);
  });

  test("a public URL is accepted and normalized", () => {
    expect(
      [
        "https://hooks.example.com/a?b=c",
        "https://HOOKS.Example.com:443",
        "https://hooks.example.com.:8443/",
      ].map((url) => urlOrProblem(url)),
    ).toEqual([
      "https://hooks.example.com/a?b=c",
      "https://hooks.example.com/",
      "https://hooks.example.com.:8443/",
    ]);
    expect(urlOrProblem("https://bücher.example/ä")).toBe("https://xn--bcher-kva.example/%C3%A4");
    expect(urlOrProblem("https://16843009/")).toBe("https://1.1.1.1/");
    expect(urlOrProblem("https://[2606:4700::1111]:8443/")).toBe("https://[2606:4700::1111]:8443/");
  });

  test("other schemes, credentials, fragments, invalid ports and tricks of spelling are refused", () => {
    const long = (bytes: number) => `https://hooks.example/${"a".repeat(bytes - 22)}`;
    const refused: Record<string, string> = {
      "http://hooks.example/": "not_https",
      "ftp://hooks.example/": "not_https",
      "file:///etc/passwd": "not_https",
      "javascript:alert(1)": "not_https",
      "https://user@hooks.example/": "credentials",
      "https://user:word@hooks.example/": "credentials",
      "https://hooks.example@127.0.0.1/": "credentials",
      "https://hooks.example/#": "fragment",
      "https://hooks.example/#@127.0.0.1": "fragment",
      "https://hooks.example:0/": "port",
      "https://hooks.example:65536/": "malformed",
      "https://hooks.example\\@127.0.0.1/": "malformed",
      "ht\ntps://hooks.example/": "malformed",
      " https://hooks.example/": "malformed",
      "https://[::1%25lo]/": "malformed",
      "https://[::1/": "malformed",
      "https://1.2.3.4.5/": "malformed",
      "https://a%00b/": "malformed",
      "https://./": "malformed",
      "hooks.example": "malformed",
      "": "malformed",
      [long(2_001)]: "too_long",
      // 6 bytes each once encoded
      [`https://hooks.example/${"ä".repeat(500)}`]: "too_long",
    };
    for (const [url, problem] of Object.entries(refused))
      expect([url, urlOrProblem(url)]).toEqual([url, problem]);
    expect(urlOrProblem(long(2_000))).toBe(long(2_000));
    expect(urlOrProblem("http://localhost:3000/hook", { allowPrivate: true })).toBe(
      "http://localhost:3000/hook",
    );
    expect(urlOrProblem("http://user@localhost/", { allowPrivate: true })).toBe("credentials");
  });
});

test("the demo's endpoints are on this machine, by http or https, in every spelling of it", () => {
  const inDemo = (url: string) => urlOrProblem(url, { allowPrivate: "loopback" });
  const here = `http://127.0.0.1:8000/ https://127.0.0.1/ http://127.1/ http://0x7f.9/ http://127.255.255.254/ http://[::1]/
    http://localhost:3000/a http://LOCALHOST/ http://localhost./ http://hooks.localhost/ http://a.b.localhost./`;
  expect(here.split(/\s+/).filter((url) => inDemo(url) === "not_this_machine")).toEqual([]);
  const elsewhere = `https://hooks.example.com/ http://10.0.0.1/ http://192.168.1.2/ http://169.254.169.254/ http://0.0.0.0/
    http://[::]/ http://[::2]/ http://[::ffff:10.0.0.1]/ http://126.255.255.255/ http://128.0.0.1/ http://1.1.1.1/
    http://router/ http://nas.local/ http://localhost.example.com/ http://127.0.0.1.example.com/ http://notlocalhost/
    http://xlocalhost/ https://metadata.google.internal/`;
  expect(elsewhere.split(/\s+/).filter((url) => inDemo(url) !== "not_this_machine")).toEqual([]);
  expect([inDemo("ftp://localhost/"), inDemo("http://me@localhost/")]).toEqual(["not_https", "credentials"]);
});

test("Retry-After is read as seconds or a date, and is otherwise ignored", () => {
  const now = new Date("2026-03-01T10:00:00Z");
  const read = (header?: string) => retryAfterMilliseconds(header, now);
  expect([read("0"), read("120"), read(" 7 "), read("172800")]).toEqual([0, 120_000, 7_000, 172_800_000]);
  expect(read("Sun, 01 Mar 2026 10:05:00 GMT")).toBe(300_000);
  expect(read("Sun, 01 Mar 2026 09:00:00 GMT")).toBe(0);
  expect(Number.isSafeInteger(read("9".repeat(400)))).toBe(true);
  for (const rubbish of [
    "",
    "soon",
    "-5",
    "1.5",
    "1e3",
    "5s",
    "2026-03-01",
    "Sun, 99 Foo 2026 10:05:00 GMT",
    "1 2",
  ])
    expect([rubbish, read(rubbish)]).toEqual([rubbish, null]);
  expect(read()).toBeNull();
});
