/** Requests that no honest client sends, generated from the API's description of itself. */
import * as fc from "fast-check";
import type { Call } from "./calls";
import type { WireCall } from "./wire";

/** What a request may carry that belongs to a real customer. */
export type Insider = {
  session: string;
  desk: string;
  token: string;
  serverKey: string;
  fields: Record<string, string>;
};

export type Attempt = { call: Call; asked: WireCall };

export const anyAttempt = (calls: Call[], insider: Insider): fc.Arbitrary<Attempt> =>
  fc.constantFrom(...calls).chain((call) =>
    fc
      .record({
        method: mostly(
          call.method,
          fc.constantFrom("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"),
        ),
        path: mostly(call.path.replace(/\{\w+\}/g, "x"), oddPath(call.path)),
        query: anyQuery(call),
        body: call.method === "GET" ? rarely(anyBody(call, insider)) : anyBody(call, insider),
        cookie: anyCookie(insider),
        type: mostly<string | undefined>("application/json", oddType),
        token: anyToken(call, insider),
        site: mostly<string | undefined>("same-origin", fc.constantFrom(undefined, "cross-site", "none", "")),
        odd: rarely(oddHeaders),
      })
      .map(({ method, path, query, body, cookie, type, token, site, odd }) => ({
        call,
        asked: {
          method,
          // Bun itself answers what is much longer, with a bare 431
          target: (path + query).slice(0, 6000),
          headers: [
            ...given("cookie", cookie),
            ...given("authorization", token),
            ...given("content-type", body === undefined ? undefined : type),
            ...given("sec-fetch-site", site),
            ...(odd ?? []),
          ],
          body,
        },
      })),
  );

const mostly = <T>(usual: T, odd: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: odd });
const rarely = <T>(odd: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  mostly<T | undefined>(undefined, odd);
const given = (name: string, value: string | undefined): [string, string][] =>
  value === undefined ? [] : [[name, value]];

/** Values that have broken servers before. */
const hostileText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom(
    "",
    "\0",
    "a\0b",
    "\ud800",
    "\udfff\ud800",
    "İ".repeat(20),
    "ﷺ".repeat(30),
    "e\u0301\u200d\u202e",
    "NaN",
    "Infinity",
    "-0",
    "1e999",
    "__proto__",
    "constructor",
    "toString",
    "' OR 1=1 --",
    '"; DROP TABLE accounts; --',
    "%00%ff%zz",
    "../../../../etc/passwd",
    "${7*7}{{7*7}}",
    "<script>alert(1)</script>",
    "\r\nset-cookie: a=b",
    "ada@example.com\r\nbcc: eve@example.com",
    "x".repeat(300),
    "x".repeat(20_000),
  ),
);
const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom(null, true, 0, -0, -1, 1e308, 2 ** 53, 0.1, [], {}, [[]], { a: null }, [null]),
  fc.constantFrom(100, 5000).map(nested),
  fc.array(fc.integer(), { minLength: 500, maxLength: 2000 }),
  fc.jsonValue({ maxDepth: 3 }),
);

function nested(depth: number): unknown {
  let value: unknown = "deep";
  for (let level = 0; level < depth; level += 1) value = level % 2 ? [value] : { in: value };
  return value;
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

function anyBody(call: Call, insider: Insider): fc.Arbitrary<Uint8Array | undefined> {
  const right = { ...(call.example as object), ...insiderFields(call, insider) };
  const fields = Object.keys(call.body?.properties ?? {});
  const field = fields.length > 0 ? fc.constantFrom(...fields) : fc.string();
  const almost: fc.Arbitrary<unknown> = fc.oneof(
    // hashing a password is slow on purpose, so valid requests are rare
    { weight: call.path.includes("/auth/") ? 1 : 8, arbitrary: fc.constant(right) },
    {
      weight: 20,
      arbitrary: fc.tuple(field, hostileValue).map(([name, value]) => ({ ...right, [name]: value })),
    },
    { weight: 6, arbitrary: field.map((name) => ({ ...right, [name]: undefined })) },
    { weight: 4, arbitrary: hostileValue },
  );
  return fc.oneof(
    { weight: 12, arbitrary: almost.map((value) => bytesOf(JSON.stringify(value) ?? "")) },
    { weight: 2, arbitrary: withPrototype(right) },
    { weight: 2, arbitrary: brokenJson.map(bytesOf) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        undefined,
        new Uint8Array(),
        bytesOf(" ".repeat(70_000)),
        bytesOf(" ".repeat(300_000)),
      ),
    },
  );
}

function insiderFields(call: Call, { fields }: Insider): object {
  const named = Object.keys(call.body?.properties ?? {}).filter((name) => name in fields);
  return Object.fromEntries(named.map((name) => [name, fields[name]]));
}

/** JSON whose property names are the attack; a JavaScript object could not hold them. */
const withPrototype = (right: object) =>
  fc
    .constantFrom("__proto__", "constructor", "prototype", "toString", "hasOwnProperty")
    .map((name) =>
      bytesOf(JSON.stringify(right).replace(/^\{/, `{"${name}":{"admin":true,"username":"x"},`)),
    );

const brokenJson = fc.constantFrom(
  "{",
  '{"username":NaN}',
  '{"username":Infinity}',
  '{"username":undefined}',
  "{'username':'a'}",
  '{"username":"a",}',
  '{"username":"\\ud800","password":"\\u0000"}',
  '{"username":"a","username":"b"}',
  '{"username":1e999}',
  '\ufeff{"username":"a"}',
  '{"username":"a"}{"username":"b"}',
  "[".repeat(30_000),
  `${"[".repeat(20_000)}${"]".repeat(20_000)}`,
  `${'{"a":'.repeat(9_000)}1${"}".repeat(9_000)}`,
  "1".repeat(50_000),
  "null",
  '""',
  "username=a&password=b",
  '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
);

const oddType = fc.constantFrom(
  undefined,
  "",
  "text/plain",
  "application/json; charset=utf-16",
  "application/json; =",
  "application/json;",
  "application/JSON",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/vnd.api+json",
  "\xff\xfe",
);

const encoded = hostileText.map((text) => encodeURIComponent(text.toWellFormed()));
const brokenPercent = fc.constantFrom(
  "%",
  "%z",
  "%zz",
  "%f",
  "%ff",
  "%00",
  "%c0%af",
  "%ed%a0%80",
  "%u0041",
  "%25%25",
  "+",
);

function anyQuery(call: Call): fc.Arbitrary<string> {
  const name =
    call.query.length > 0 ? fc.constantFrom(...call.query) : fc.constantFrom("q", "__proto__", "%ff");
  const value = fc.oneof(encoded, brokenPercent, fc.constantFrom("cs_test_a1", "pi_1", ""));
  const pair = fc.tuple(name, value).map(([key, text]) => `${key}=${text}`);
  const pairs = fc.array(fc.oneof(pair, brokenPercent, fc.constant("=&&=")), { minLength: 1, maxLength: 3 });
  const some = pairs.map((all) => `?${all.join("&")}`);
  return call.query.length > 0 ? fc.oneof(some, fc.constant("")) : mostly("", some);
}

const oddPath = (path: string) =>
  fc.oneof(
    fc.constantFrom(
      `${path}/`,
      `${path}//`,
      path.replace("/api", "//api"),
      path.replace("/api", "/api/."),
      path.replace("/api/", "/api/../api/"),
      path.replace("/api/", "/api%2f"),
      path.replace(/.$/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
      path.toUpperCase(),
      `${path};a=b`,
      `${path}\\..`,
      `http://elsewhere.example${path}`,
      `${path}${"/x".repeat(2000)}`,
    ),
    encoded.map((text) => `/api/${text.slice(0, 4000)}`),
    brokenPercent.map((text) => `${path}/${text}`),
    brokenPercent.map((text) => `/api/${text}`),
  );

const anyCookie = (insider: Insider): fc.Arbitrary<string | undefined> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constant(`session=${insider.session}; desk=${insider.desk}`) },
    { weight: 2, arbitrary: fc.constant(undefined) },
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        "session=",
        "session",
        "=",
        ";;;",
        "session=%",
        "session=%zz%ff%00",
        'session="',
        "session=a; session=b; session=c",
        "__proto__=1; constructor=2; session=x",
        `session=${"x".repeat(6000)}`,
        "checkout=%ff; session=\xff\xfe",
        "a=b; ".repeat(300),
      ),
    },
  );

function anyToken({ security }: Call, insider: Insider) {
  if (security !== "token" && security !== "serverKey") return rarely(oddToken);
  return mostly(`Bearer ${security === "token" ? insider.token : insider.serverKey}`, oddToken);
}

const oddToken = fc.constantFrom(
  "",
  "Bearer",
  "Bearer ",
  "Bearer \xff\xff",
  "bearer a b",
  "Basic YTpi",
  `Bearer ${"x".repeat(5000)}`,
);

const oddHeaders: fc.Arbitrary<[string, string][]> = fc.constantFrom<[string, string][]>(
  [["x-forwarded-for", "not an address, , ,"]],
  [["x-forwarded-for", ":::::,%,\xff"]],
  [["x-forwarded-for", "1".repeat(5000)]],
  [["x-forwarded-for", "1:2:3:4:5:6:7:8:9::"]],
  [["origin", "null"]],
  [["origin", "\xff"]],
  [["stripe-signature", "t=1,v1=0"]],
  [["stripe-signature", "t=NaN,v1=\xff,v1="]],
  [["stripe-signature", "t=99999999999999999999,v1=,,,==="]],
  [["user-agent", "\xf0\x9f\x92\xa9".repeat(200)]],
  [["user-agent", ""]],
  [["accept-language", "*;q=NaN"]],
  [["accept-encoding", "br;q=x, *"]],
  [["range", "bytes=-1-,a"]],
  [["if-none-match", "*"]],
  [["expect", "100-continue"]],
  [["host", "elsewhere.example"]],
  [["host", ""]],
  [["host", "a b"]],
  [["host", "[::1"]],
  [["host", "x:99999"]],
  [["__proto__", "x"]],
  [["constructor", "x"]],
  [["x-http-method-override", "DELETE"]],
  Array.from({ length: 60 }, (_, at): [string, string] => [`x-many-${at}`, "y".repeat(20)]),
);
