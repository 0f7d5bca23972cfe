import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { join } from "node:path";
import zlib from "node:zlib";
import { brand } from "@/brand/brand";
import { texts } from "@/contract/vocabulary/texts";
import { withSecureHeaders } from "@/serving/headers";
import { createSite } from "@/serving/site";
import { pages } from "@/web/pages";

const cacheDir = join(import.meta.dir, "../../../.cache/site");
const policy =
  /^default-src 'none'; script-src 'self'( 'sha256-[\w+/]{43}='){0,2}; style-src 'self'( 'sha256-[\w+/]{43}=')?; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'(; upgrade-insecure-requests)?$/;

let http: Shop;
let https: Shop;
beforeAll(async () => {
  http = await open("http://shop.test");
  https = await open("https://shop.test");
});
afterAll(async () => {
  await Promise.all([http.close(), https.close()]);
});

describe("headers", () => {
  test("every kind of response has all of them", async () => {
    for (const [kind, answer] of await everyKind(http)) expectSecure(kind, answer, false);
  });

  test("only a shop on https sends HSTS", async () => {
    for (const [kind, answer] of await everyKind(https)) expectSecure(kind, answer, true);
  });

  test("HSTS is for the host alone or forgotten, if the operator says so", async () => {
    for (const [hsts, header] of [
      ["host", "max-age=63072000"],
      ["off", "max-age=0"],
    ] as const) {
      const publicUrl = new URL("https://shop.test");
      const site = await createSite({ publicUrl, cacheDir, hsts });
      const answers = [site(new Request(publicUrl)), withSecureHeaders(new Response(), { transport: hsts })];
      for (const { headers } of answers) {
        expect(headers.get("strict-transport-security")).toBe(header);
        expect(headers.get("content-security-policy")).toContain("upgrade-insecure-requests");
      }
    }
    const overHttp = await createSite({ publicUrl: new URL("http://shop.test"), cacheDir, hsts: "host" });
    expect(overHttp(new Request("http://shop.test")).headers.has("strict-transport-security")).toBe(false);
  });

  test("the API's responses keep their own headers and may not be cached", async () => {
    const own = Response.json({ status: 404 }, { status: 404, headers: { "x-own": "kept" } });
    const answer = withSecureHeaders(own, { transport: "subdomains", api: true });
    expectSecure("api", answer, true);
    expect(answer.status).toBe(404);
    expect(answer.headers.get("x-own")).toBe("kept");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    expect(await answer.json()).toEqual({ status: 404 });
  });

  test("cookies set by the API survive one by one", () => {
    const own = new Response();
    own.headers.append("set-cookie", "a=1");
    own.headers.append("set-cookie", "b=2");
    expect(withSecureHeaders(own, { transport: "http" }).headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  });
});

describe("pages", () => {
  test("a page's policy allows only the style sheet and the scripts that it carries itself", async () => {
    const icon = await http.get("/favicon.svg");
    for (const [what, within] of [
      ["style-src", /<style>([^]*?)<\/style>/g],
      ["script-src", /<script>([^]*?)<\/script>/g],
    ] as const) {
      const allowed = (from: Response) =>
        new RegExp(`${what} ([^;]*)`).exec(from.headers.get("content-security-policy") ?? "")?.[1];
      for (const path of ["/", "/dashboard"]) {
        const answer = await http.get(path);
        const carried = [...(await answer.text()).matchAll(within)].map(([, text = ""]) => text);
        const most = path === "/dashboard" && what === "script-src" ? 2 : 1;
        expect([path, carried.length]).toEqual([path, most]);
        const hashes = carried.map((text) => new Bun.CryptoHasher("sha256").update(text).digest("base64"));
        expect([path, allowed(answer)]).toEqual([
          path,
          ["'self'", ...hashes.map((hash) => `'sha256-${hash}'`)].join(" "),
        ]);
      }
      expect(allowed(icon)).toBe("'self'");
    }
  });

  test("each page answers 200 at its URL, with or without a query or trailing slash", async () => {
    for (const path of Object.keys(pages)) {
      for (const form of [path, `${path}?a=b`, path === "/" ? path : `${path}/`]) {
        const answer = await http.get(form);
        expect([form, answer.status]).toEqual([form, 200]);
        expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
      }
    }
  });

  test("each page has its own title, and only public ones may be listed", async () => {
    for (const [path, page] of Object.entries(pages)) {
      const html = await (await http.get(path)).text();
      expect(html).toContain(`<title>${page.title}</title>`);
      expect(html.includes('content="noindex"')).toBe(!page.index);
      expect(html.includes(`rel="canonical" href="http://shop.test${page.canonical}"`)).toBe(page.index);
    }
  });

  test("pages show prices in the shop's currency", async () => {
    const euros = await createSite({ publicUrl: new URL("http://shop.test"), cacheDir, currency: "eur" });
    const pricesOf = (html: string) => html.match(/[$€]\d+(?=<| once|, once)/g);
    const page = await euros(new Request("http://shop.test/")).text();
    expect(pricesOf(await (await http.get("/")).text())).toEqual(["$5", "$5", "$5"]);
    expect(pricesOf(page)).toEqual(["€5", "€5", "€5"]);
    expect(page).toContain('data-currency="eur"');
  });

  test("where nothing is on sale, pages say so, to search engines too, and show no price and nothing to press", async () => {
    const site = await createSite({ publicUrl: new URL("http://shop.test"), cacheDir, offers: [] });
    const read = (path: string) => site(new Request(`http://shop.test${path}`)).text();
    const landing = await read("/");
    expect(landing.match(/>Not on sale at the moment\.</g)).toHaveLength(2);
    expect(landing).toContain('data-offers="[]"');
    for (const html of [landing, await read("/commands")]) {
      expect(html).toContain("Not on sale at the moment.");
      expect(html).not.toMatch(
        /[$]5|"price"|Purchase Premium|By purchasing|href="\/?#get" [^>]*button-light|%[a-z]/,
      );
    }
    const offer = {
      id: "premium",
      name: "Premium",
      days: null,
      devices: 1,
      level: { id: "premium", name: "Wisp Premium" },
      includes: [],
      features: [],
      recurring: null,
    };
    await site.showOffers([{ ...offer, amount: 700, currency: "usd" }]);
    expect(await read("/")).toContain('"price":"7.00"');
  });

  test("a page is the same in every encoding, and is not sent again while it has not changed", async () => {
    for (const path of ["/", "/dashboard"]) {
      const bodies = new Set<string>();
      const etags = new Set<string | null>();
      for (const encoding of ["identity", "gzip", "br"]) {
        const answer = await http.get(path, { "accept-encoding": encoding });
        expect(answer.headers.get("content-encoding") ?? "identity").toBe(encoding);
        bodies.add(decoded(encoding, await answer.bytes()));
        const etag = answer.headers.get("etag") ?? "";
        etags.add(etag);
        const again = await http.get(path, { "accept-encoding": encoding, "if-none-match": etag });
        expect([again.status, again.headers.get("etag")]).toEqual([304, etag]);
      }
      expect([bodies.size, etags.size]).toEqual([1, 3]);
    }
  });

  test("browsers revalidate a page each time, and shared caches may not store it", async () => {
    const answer = await http.get("/");
    expect(answer.headers.get("cache-control")).toBe("private, no-cache");
    expect(answer.headers.get("vary")).toBe("Accept-Encoding, Cookie");
  });

  test("a page that says nobody is signed in is sent again to a browser with a session", async () => {
    const visitor = await http.get("/");
    expect(visitor.headers.get("server-timing")).toBe("visitor");
    const etag = visitor.headers.get("etag") ?? "";
    for (const cookie of ["session=x", "__Host-session=x", "a=b; session=x"]) {
      const answer = await http.get("/", { cookie, "if-none-match": etag });
      expect([cookie, answer.status]).toEqual([cookie, 200]);
      expect(answer.headers.get("server-timing")).toBeNull();
    }
  });

  test("an account's page has its browser ask for what it shows along with its scripts, a visitor's for nothing", async () => {
    const asked = async (path: string, cookie: string) =>
      [...((await http.get(path, { cookie })).headers.get("link") ?? "").matchAll(/<([^>]+)>/g)].map(
        ([, call]) => call,
      );
    expect(await asked("/dashboard", "session=x")).toContain("/api/licenses/me");
    for (const path of ["/", "/dashboard/license", "/dashboard/nothing", "/nothing"])
      expect([path, await asked(path, "session=x")]).toEqual([path, ["/api/user/me"]]);
    for (const path of ["/", "/dashboard", "/nothing"])
      expect([path, await asked(path, "")]).toEqual([path, []]);
  });

  test("an unknown page stays a 404, whatever the browser has cached", async () => {
    const answer = await http.get("/no-such-page", { "if-none-match": "*" });
    expect(answer.status).toBe(404);
  });

  test("an unknown path is a real 404 with its page", async () => {
    for (const path of [
      "/no-such-page",
      "/login/x",
      "/Login",
      "/dashboard/x",
      "//login",
      "/%zz",
      "/index.html",
    ]) {
      const answer = await http.raw(`GET ${path} HTTP/1.1`);
      expect([path, answer.status]).toEqual([path, 404]);
      if (!path.startsWith("/dashboard")) expect(answer.body).toContain(texts.notFound);
    }
  });

  test("no page has an inline script but its own, a handler, a style attribute or a second sheet, or names another host", async () => {
    for (const path of [...Object.keys(pages), "/no-such-page"]) {
      const html = await (await http.get(path)).text();
      const withoutFirst = html.replace(/<style>[^]*?<\/style>/, "").replace(/<script>[^]*?<\/script>/, "");
      const withoutOwn = (
        path === "/dashboard" ? withoutFirst.replace(/<script>[^]*?<\/script>/, "") : withoutFirst
      ).replace(/<script type="application\/ld\+json">[^]*?<\/script>/, "");
      expect(withoutOwn).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son[a-z]+=|javascript:/i);
      for (const [, target] of html.matchAll(
        /<(?:script|link|img|source|iframe|form|meta)\b[^>]*?(?:src|href|srcset|action|content)="((?:https?:)?\/\/[^"]*)"/g,
      )) {
        expect(target).toStartWith("http://shop.test/");
      }
    }
  });

  test("crawlers find the public pages and are kept out of the rest", async () => {
    expect(await (await http.get("/robots.txt")).text()).toContain("Sitemap: http://shop.test/sitemap.xml");
    const map = await (await http.get("/sitemap.xml")).text();
    expect(map).toContain("<loc>http://shop.test/commands</loc>");
    expect(map).not.toContain("dashboard");
  });
});

describe("redirects", () => {
  test("/discord and /support redirect to the community and nowhere else", async () => {
    for (const path of [
      "/discord",
      "/support",
      "/discord?to=https://evil.test",
      "/support?next=//evil.test",
    ]) {
      const answer = await http.get(path, { host: "evil.test", "x-forwarded-host": "evil.test" });
      expect(answer.status).toBe(302);
      expect(answer.headers.get("location")).toBe(brand.links.community ?? "");
    }
  });

  test("pages that moved into Settings redirect to their tab", async () => {
    for (const [path, target] of [
      ["/dashboard/security", "/dashboard/settings#security"],
      ["/dashboard/offline", "/dashboard/settings#offline"],
    ] as const)
      expect((await http.get(path)).headers.get("location")).toBe(target);
  });
});

describe("files", () => {
  test("a hashed file is cached for ever, others are revalidated", async () => {
    const { script } = await http.assets();
    for (const path of [script, "/fonts/geist-basic-5.3.0.woff2"]) {
      const answer = await http.get(path);
      expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    }
    const icon = await http.get("/favicon.svg");
    expect(icon.headers.get("content-type")).toStartWith("image/svg+xml");
    expect(icon.headers.get("cache-control")).toBe("public, max-age=3600");
  });

  test("a file that did not change is not sent again", async () => {
    const { script } = await http.assets();
    for (const encoding of ["identity", "gzip", "br"]) {
      const etag = (await http.get(script, { "accept-encoding": encoding })).headers.get("etag") ?? "";
      for (const condition of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
        const again = await http.get(script, { "accept-encoding": encoding, "if-none-match": condition });
        expect([condition, again.status, (await again.bytes()).length]).toEqual([condition, 304, 0]);
        expect(again.headers.get("etag")).toBe(etag);
      }
      const other = await http.get(script, { "accept-encoding": encoding, "if-none-match": '"other"' });
      expect(other.status).toBe(200);
    }
  });

  test("each encoding is another body with another ETag and the same content", async () => {
    const { script } = await http.assets();
    const etags = new Set<string | null>();
    const contents = new Set<string>();
    for (const encoding of ["identity", "gzip", "br"]) {
      const answer = await http.get(script, { "accept-encoding": encoding });
      expect(answer.headers.get("vary")).toBe("Accept-Encoding");
      etags.add(answer.headers.get("etag"));
      contents.add(decoded(encoding, await answer.bytes()));
    }
    expect([etags.size, contents.size]).toEqual([3, 1]);
  });

  test.each([
    ["br, gzip, zstd", "br"],
    ["gzip, deflate", "gzip"],
    ["gzip;q=1.0, br;q=0.5", "gzip"],
    ["br;q=0, gzip;q=0.1", "gzip"],
    ["*", "br"],
    ["*;q=0.5, br;q=0", "gzip"],
    ["identity;q=1, br;q=0.5", null],
    ["GZIP", "gzip"],
    ["deflate", null],
    ["", null],
    ["br;q=nonsense", null],
  ])("Accept-Encoding '%s' is answered with %p", async (accept, expected) => {
    const { script } = await http.assets();
    const answer = await http.get(script, { "accept-encoding": accept });
    expect(answer.headers.get("content-encoding")).toBe(expected);
  });

  test("HEAD answers as GET does, without the body", async () => {
    const { script } = await http.assets();
    for (const path of ["/", "/no-such-page", script, "/favicon.svg", "/assets/none.js", "/discord"]) {
      const [head, get] = await Promise.all(
        ["HEAD", "GET"].map((method) => http.raw(`${method} ${path} HTTP/1.1`)),
      );
      expect(head?.status).toBe(get?.status ?? 0);
      expect([path, head?.headers["content-length"]]).toEqual([path, get?.headers["content-length"]]);
      expect([path, Number(get?.headers["content-length"])]).toEqual([
        path,
        Buffer.byteLength(get?.body ?? ""),
      ]);
      expect(head?.body).toBe("");
    }
  });

  test("a missing file is a 404 and not a page", async () => {
    for (const path of ["/assets/gone-12345678.js", "/assets/", "/assets/../favicon.svg%00"]) {
      const answer = await http.raw(`GET ${path} HTTP/1.1`);
      expect([path, answer.status]).toEqual([path, 404]);
    }
    expect((await http.get("/assets/gone-12345678.js")).headers.get("content-type")).toStartWith(
      "text/plain",
    );
  });

  test("any method but GET and HEAD is refused with the allowed ones", async () => {
    for (const path of ["/", "/favicon.svg", "/no-such-page", "/discord"]) {
      for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]) {
        const answer = await http.raw(`${method} ${path} HTTP/1.1`);
        expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, "GET, HEAD"]);
      }
    }
  });
});

describe("hostile requests", () => {
  test("no spelling of a path escapes the site's files", async () => {
    let asked = 0;
    for (const path of traversals()) {
      const { status, body } = await http.raw(`GET ${path} HTTP/1.1`);
      asked += 1;
      expect([path, [200, 400, 404].includes(status)]).toEqual([path, true]);
      expect(body).not.toMatch(/root:.*:0:0|"dependencies"|\[serve\.static\]|createSite|"hashes"/);
      if (status === 200) expect(body).toMatch(/^<!doctype html>|^<svg/);
    }
    console.log(`traversal: ${asked} spellings, nothing served`);
  });

  test("a missing or nonsensical Host is not a failure", async () => {
    for (const host of ["a b", "[::", "%%%", "x:99999", "evil.test"]) {
      const answer = await http.raw("GET / HTTP/1.1", host);
      expect([host, answer.status]).toEqual([host, 200]);
      expect(answer.headers["content-security-policy"]).toMatch(policy);
      expect(answer.body).not.toContain("evil.test");
    }
    expect((await http.raw("GET / HTTP/1.0", undefined)).status).toBe(200);
  });
});

type Shop = Awaited<ReturnType<typeof open>>;

/** A site behind a socket, with a client that neither decompresses nor follows redirects. */
async function open(publicUrl: string) {
  const site = await createSite({ publicUrl: new URL(publicUrl), cacheDir });
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: site });
  const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    fetch(new URL(path, server.url), {
      method,
      headers: { "accept-encoding": "identity", ...headers },
      redirect: "manual",
      decompress: false,
    });
  return {
    get,
    raw: (line: string, host: string | undefined = "shop.test") => rawRequest(server.port ?? 0, line, host),
    async assets() {
      const html = await (await get("/dashboard")).text();
      const script = /<script[^>]* src="([^"]+)"/.exec(html)?.[1] ?? "";
      return { script };
    },
    close: () => server.stop(true),
  };
}

async function everyKind(shop: Shop): Promise<[string, Response][]> {
  const { script } = await shop.assets();
  const etag = (await shop.get(script)).headers.get("etag") ?? "";
  return [
    ["prerendered page", await shop.get("/")],
    ["unchanged page", await shop.get("/", { "if-none-match": "*" })],
    ["page", await shop.get("/dashboard")],
    ["unknown page", await shop.get("/no-such-page")],
    ["script", await shop.get(script, { "accept-encoding": "br" })],
    ["unchanged script", await shop.get(script, { "if-none-match": etag })],
    ["missing file", await shop.get("/assets/none.js")],
    ["picture", await shop.get("/favicon.svg")],
    ["robots", await shop.get("/robots.txt")],
    ["redirect", await shop.get("/discord")],
    ["wrong method", await shop.get("/", {}, "POST")],
    ["HEAD", await shop.get("/", {}, "HEAD")],
  ];
}

function expectSecure(kind: string, { headers }: Response, https: boolean) {
  const match = policy.exec(headers.get("content-security-policy") ?? "");
  expect([kind, match?.[3]]).toEqual([kind, https ? "; upgrade-insecure-requests" : undefined]);
  const hsts = headers.get("strict-transport-security");
  expect([kind, hsts]).toEqual([kind, https ? "max-age=63072000; includeSubDomains" : null]);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
  expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
  expect(headers.get("x-frame-options")).toBe("DENY");
  expect(headers.get("permissions-policy")).toMatch(/^([a-z-]+=\(\))(, [a-z-]+=\(\))+$/);
  expect(headers.get("cache-control")).not.toBeNull();
}

function decoded(encoding: string, bytes: Uint8Array<ArrayBuffer>) {
  const decoders: Record<string, (bytes: Uint8Array<ArrayBuffer>) => Uint8Array> = {
    gzip: (packed) => zlib.gunzipSync(packed),
    br: (packed) => zlib.brotliDecompressSync(packed),
  };
  return new TextDecoder().decode(decoders[encoding]?.(bytes) ?? bytes);
}

/** Paths that have escaped some server's folder, each towards files that exist. */
function* traversals() {
  const ups = [
    "../",
    "..%2f",
    "%2e%2e/",
    "%2e%2e%2f",
    "..\\",
    "..%5c",
    "%252e%252e%252f",
    "..%c0%af",
    "..%00/",
    "....//",
    ".%2e/",
    "%uff0e%uff0e/",
  ];
  const targets = [
    "etc/passwd",
    "package.json",
    "bunfig.toml",
    "src/serving/site.ts",
    "manifest.json",
    ".env",
  ];
  for (const start of ["/", "/assets/", "/fonts/", "/./", "//", "/assets/x/"]) {
    for (const up of ups) {
      for (const depth of [1, 2, 3, 8]) for (const target of targets) yield start + up.repeat(depth) + target;
    }
  }
  yield* [
    "/manifest.json",
    "/files/favicon.svg",
    "/server/prerender.js",
    "/.env",
    "/.git/config",
    "/package.json",
  ];
  yield* [
    "/src/main.ts",
    "/public/favicon.svg",
    "/fonts",
    "/fonts/",
    "/assets",
    "/favicon.svg/",
    "/favicon.svg.br",
  ];
  yield* ["/__proto__", "/constructor", "/toString", "/hasOwnProperty"];
}

type Raw = { status: number; headers: Record<string, string>; body: string };

/** Sends a request line as it is: `fetch` would normalise the path first. */
function rawRequest(port: number, line: string, host: string | undefined): Promise<Raw> {
  const fields = [line, ...(host === undefined ? [] : [`Host: ${host}`]), "Connection: close"];
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, "127.0.0.1", () => socket.write(`${fields.join("\r\n")}\r\n\r\n`));
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("error", reject);
    socket.on("close", () => resolve(parseAnswer(Buffer.concat(chunks).toString())));
  });
}

function parseAnswer(text: string): Raw {
  const end = text.indexOf("\r\n\r\n");
  const [status = "", ...fields] = text.slice(0, end).split("\r\n");
  const headers = Object.fromEntries(
    fields.map((field) => [
      field.slice(0, field.indexOf(":")).toLowerCase(),
      field.slice(field.indexOf(":") + 1).trim(),
    ]),
  );
  return { status: Number(status.split(" ")[1]), headers, body: text.slice(end + 4) };
}
