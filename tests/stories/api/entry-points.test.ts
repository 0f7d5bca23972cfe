import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { refusals } from "@/contract/vocabulary/refusals";
import { minute } from "@/contract/vocabulary/time";
import { sentenceOf } from "@/core/base/refusal";
import type { Answer, Person } from "../../support/people/person";
import { eventually, openStage, type Stage } from "../../support/shop/stage";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

const json = { "content-type": "application/json" };
const raw = (person: Person, path: string, body: BodyInit, headers: Record<string, string> = json) =>
  person.send("POST", path, { body, headers });
const login = "/api/auth/login";

/** The refusal in its envelope, and nothing else. */
function expectRefusal(answer: Answer, code: keyof typeof refusals, field?: string) {
  const { status } = refusals[code];
  expect([answer.status, answer.body.status, answer.body.code]).toEqual([status, status, code]);
  expect(answer.body.field).toBe(field);
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  if (field === undefined && code !== "rate_limited") expect(answer.body.data).toBe(sentenceOf({ code }));
}

/** A signed-in person. */
async function member(on: Stage = stage) {
  const person = on.person();
  const name = `m${person.address.replaceAll(".", "-")}`;
  expect((await person.register(await on.handOut(), name)).status).toBe(200);
  return person;
}

describe("request bodies", () => {
  test("a body that is not JSON is refused", async () => {
    for (const body of ["{", "{'a':1}", "", "\u0000", '{"username":', "NaN", '{"a":1}}'])
      expectRefusal(await raw(stage.person(), login, body), "invalid_json");
  });

  test("a body that is not UTF-8 is refused, instead of being stored with other characters", async () => {
    const body = Buffer.concat([Buffer.from('{"username":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    expectRefusal(await raw(stage.person(), login, body), "invalid_json");
  });

  test("a truncated or badly chunked body is a client error, not a failure of the shop", async () => {
    for (const path of [login, "/api/stripe/webhook"]) {
      for (const rest of ["zz\r\nbroken\r\n", null]) {
        const before = stage.lines.length;
        const socket = connect(Number(stage.shop.listening.port), "127.0.0.1");
        socket.on("error", () => {});
        socket.write(
          `POST ${path} HTTP/1.1\r\nHost: shop\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`,
        );
        // in a separate packet, after the shop began to read the body
        setTimeout(() => (rest === null ? socket.destroy() : socket.write(rest)), 20);
        const logged = () => stage.lines.slice(before).map((line) => JSON.parse(line));
        const [line] = await eventually(
          () => logged().filter((one) => one.message === "request" && one.method === "POST"),
          (found) => found.length > 0,
        );
        socket.destroy();
        expect(line).toMatchObject({ status: 400, code: "invalid_json" });
        expect(logged().filter(({ level }) => level === "error")).toEqual([]);
      }
    }
  });

  test("a field of the wrong shape is named, and its value is not repeated", async () => {
    const wrong: [Record<string, unknown>, string][] = [
      [{ username: 41_524_311, password: "x" }, "username"],
      [{ username: "ada", password: ["secret-41524311"] }, "password"],
      [{ username: "ada", password: "x", security_code: { deep: "41524311" } }, "security_code"],
      [{ password: "x" }, "username"],
    ];
    for (const [body, field] of wrong) {
      const answer = await stage.person().post(login, body);
      expectRefusal(answer, "invalid_field", field);
      expect(JSON.stringify(answer.body)).not.toContain("41524311");
    }
    for (const body of [null, 1, "text", [], true])
      expectRefusal(await stage.person().post(login, body), "invalid_field", "body");
    const query = await stage.person().get("/api/stripe/verify-payment?session_id=%3Cscript%3E");
    expectRefusal(query, "invalid_field", "session_id");
  });

  test("an unknown field changes nothing, and a repeated one is refused", async () => {
    const eve = stage.person();
    const more = {
      id: "1",
      mfaEnabledAt: 1,
      redemptions: 9,
      deviceResetAt: 1,
      createdAt: 0,
      active_license: false,
    };
    const polluted = `{"__proto__":{"username":"x"},"constructor":{"prototype":{"id":"2"}},`;
    const key = await stage.handOut();
    const typed = {
      username: "eve",
      email: "eve@example.com",
      password: "a long enough phrase",
      key,
      timezone: "UTC",
    };
    const body = polluted + JSON.stringify({ ...typed, ...more }).slice(1);
    expect((await raw(eve, "/api/auth/register", body)).status).toBe(200);
    const { data } = (await eve.get("/api/user/me")).body;
    expect(data).toMatchObject({ username: "eve", mfa: false, last_reset: null, active_license: true });
    expect(data.id).not.toBe("1");
    expect(Date.parse(data.created_at)).toBeGreaterThan(Date.now() - minute);
    expect(({} as Record<string, unknown>)["username"]).toBeUndefined();
    const twice = await eve.get("/api/stripe/verify-payment?session_id=cs_test_a&session_id=cs_test_b");
    expectRefusal(twice, "invalid_field", "session_id");
    // what a call reads from its body is not read from its URL
    const elsewhere = await raw(stage.person(), `${login}?username=eve&password=x`, "{}");
    expectRefusal(elsewhere, "invalid_field", "username");
  });

  test("a body of more than 64 KiB is refused, whether or not it says how long it is", async () => {
    const fits = JSON.stringify({ username: "x", password: "y".repeat(64 * 1024 - 32) });
    expect(fits.length).toBeLessThanOrEqual(64 * 1024);
    expectRefusal(await raw(stage.person(), login, fits), "invalid_field", "password");
    for (const size of [64 * 1024 + 1, 3 * 1024 * 1024]) {
      expectRefusal(await raw(stage.person(), login, " ".repeat(size)), "body_too_large");
      expectRefusal(await raw(stage.person(), login, chunked(size)), "body_too_large");
    }
  });

  test("the webhook takes 256 KiB and no more", async () => {
    const webhook = "/api/stripe/webhook";
    const fits = await raw(stage.person(), webhook, " ".repeat(256 * 1024));
    expectRefusal(fits, "webhook_signature_invalid");
    for (const body of [" ".repeat(256 * 1024 + 1), chunked(256 * 1024 + 1)])
      expectRefusal(await raw(stage.person(), webhook, body), "body_too_large");
  });

  test("only JSON is accepted, and a body must say that it is JSON", async () => {
    const body = JSON.stringify({ username: "ada", password: "x" });
    const types = [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/jsonp",
    ];
    for (const type of [...types, "application/json; =", ""])
      expectRefusal(
        await raw(stage.person(), login, body, { "content-type": type }),
        "unsupported_media_type",
      );
    const unsaid = await raw(stage.person(), login, new Blob([body]).stream(), {});
    expectRefusal(unsaid, "unsupported_media_type");
    for (const type of ["application/json", "Application/JSON; charset=utf-8"])
      expectRefusal(await raw(stage.person(), login, body, { "content-type": type }), "credentials_invalid");
  });
});

/** A body that is sent piece by piece, without its length. */
function chunked(size: number) {
  const piece = new TextEncoder().encode(" ".repeat(16 * 1024));
  let left = size;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (left <= 0) return controller.close();
      controller.enqueue(piece.slice(0, left));
      left -= piece.length;
    },
  });
}

describe("every URL answers", () => {
  test("a wrong method is refused with the allowed ones", async () => {
    const wrong: [string, string, string][] = [
      ["DELETE", "/api/user/me", "GET, HEAD"],
      ["POST", "/api/user/me/", "GET, HEAD"],
      ["GET", login, "POST"],
      ["HEAD", login, "POST"],
      ["OPTIONS", login, "POST"],
      ["GET", "/api/stripe/webhook", "POST"],
      ["PUT", "/api/payments/", "GET, HEAD"],
    ];
    for (const [method, path, allow] of wrong) {
      const answer = await stage.person().send(method, path);
      expect([method, path, answer.status, answer.headers.get("allow")]).toEqual([method, path, 405, allow]);
      if (method !== "HEAD") expectRefusal(answer, "method_not_allowed");
    }
  });

  test("an unknown call is a 404 in the envelope, by any method", async () => {
    const paths = [
      "/api",
      "/api/",
      "/api/nothing",
      "/api/user",
      "/api/user/me/more",
      "/api//user/me",
      "/api/%ff",
      "/api/..%2fuser",
    ];
    for (const path of paths)
      for (const method of ["GET", "POST", "DELETE"])
        expectRefusal(await stage.person().send(method, path), "not_found");
  });

  test("both spellings of a path are the same call", async () => {
    const ada = await member();
    for (const path of ["/api/payments", "/api/user/me", "/api/licenses/me", "/api/health"]) {
      const [plain, slashed] = [await ada.get(path), await ada.get(`${path}/`)];
      expect([path, plain.status]).toEqual([path, 200]);
      expect(slashed.body).toEqual(plain.body);
    }
    expect((await ada.post("/api/auth/logout/")).status).toBe(200);
  });

  test("HEAD answers as GET would, without a body", async () => {
    const ada = await member();
    for (const path of ["/api/user/me", "/api/health", "/api/docs", "/api/nothing"]) {
      const [head, get] = [await ada.send("HEAD", path), await ada.get(path)];
      expect([path, head.status]).toEqual([path, get.status]);
      expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
      expect(head.body).toBeOneOf(["", undefined]);
    }
  });

  test("every response has the security headers", async () => {
    const ada = await member();
    const answers = [
      await ada.get("/api/user/me"),
      await ada.get("/api/docs"),
      await ada.get("/api/nothing"),
      await ada.send("DELETE", "/api/user/me"),
      await raw(ada, login, "{"),
      await stage.person().get("/api/user/me"),
      await raw(ada, "/api/stripe/webhook", "{}"),
      await ada.post("/api/auth/logout"),
    ];
    for (const { headers } of answers) {
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self';");
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
      expect(headers.get("permissions-policy")).toContain("camera=()");
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(
        [...headers.keys()].filter((name) => /^access-control|^server$|^x-powered-by/.test(name)),
      ).toEqual([]);
    }
    expect(answers.at(-1)?.headers.get("clear-site-data")).toContain("cache");
  });
});

test("a starting shop answers with the same headers and may not be cached", async () => {
  let early: Response | undefined;
  await using _ = await openStage({
    async pages(publicUrl) {
      early = await fetch(new URL("/dashboard", publicUrl));
      return () => new Response();
    },
  });
  const headers = early?.headers;
  expect([early?.status, headers?.get("retry-after")]).toEqual([503, "1"]);
  expect(headers?.get("content-security-policy")).toContain("default-src 'none'");
  expect(headers?.get("cache-control")).toBe("no-store");
  expect(headers?.get("x-content-type-options")).toBe("nosniff");
  expect(headers?.get("content-type")).toBe("text/plain; charset=utf-8");
});

describe("a request that changes something comes from the shop's own pages", () => {
  test("requests caused by other sites are refused", async () => {
    const ada = await member();
    const foreign: Record<string, string>[] = [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "none" },
      { "sec-fetch-site": "cross-site", origin: stage.url.origin },
      { "sec-fetch-site": "" },
    ];
    for (const headers of foreign) {
      expectRefusal(await ada.post("/api/auth/logout", {}, headers), "cross_site");
      expectRefusal(
        await ada.post("/api/licenses/redeem", { key: "x", timezone: "UTC" }, headers),
        "cross_site",
      );
      expectRefusal(
        await stage.person().post(login, { username: "a", password: "b" }, headers),
        "cross_site",
      );
    }
    expect((await ada.get("/api/user/me")).status).toBe(200);
  });

  test("if a browser sends only Origin, it must be the shop's", async () => {
    const ada = await member();
    const send = (headers: Record<string, string>) =>
      fetch(new URL("/api/licenses/redeem", stage.url), {
        method: "POST",
        headers: { ...json, cookie: `session=${ada.cookies.get("session")}`, ...headers },
        body: JSON.stringify({ key: "nonsense", timezone: "UTC" }),
      }).then(async (answer) => ((await answer.json()) as { code: string }).code);
    const { origin, host, port } = stage.url;
    for (const foreign of [
      "null",
      "https://evil.example",
      `https://${host}`,
      `${origin}.evil.example`,
      `http://localhost:${port}1`,
      "",
    ])
      expect(await send({ origin: foreign })).toBe("cross_site");
    expect(await send({ origin })).toBe("license_malformed");
    // with the cookie, the headers must not be missing
    expect(await send({})).toBe("cross_site");
    // a program without a cookie has no rights to abuse
    expect(await send({ cookie: "" })).toBe("unauthenticated");
  });

  test("a link of another site reads nothing of the account, and what anybody may read as anybody", async () => {
    const ada = await member();
    for (const site of ["cross-site", "same-site"]) {
      expectRefusal(await ada.get("/api/user/me", { "sec-fetch-site": site }), "cross_site");
      expect((await ada.get("/api/offers", { "sec-fetch-site": site })).status).toBe(200);
    }
    expect((await ada.get("/api/user/me", { "sec-fetch-site": "none" })).status).toBe(200);
  });
});

describe("rate limits", () => {
  test("too many requests are refused with the seconds to wait, and served again after that", async () => {
    await using stage = await openStage({ env: { LIMITS: "public=3/60,login-address=2/60" } });
    const ada = stage.person();
    const key = "/api/functions/get-stripe-key";
    for (let time = 0; time < 3; time += 1)
      expect((await ada.get(key)).body).toEqual({ key: expect.any(String) });
    for (const answer of [
      await ada.get(key),
      await ada.get("/api/docs"),
      await ada.get("/api/openapi.json"),
    ]) {
      expectRefusal(answer, "rate_limited");
      const seconds = Number(answer.headers.get("retry-after"));
      expect(seconds).toBeWithin(1, 61);
      expect(answer.body.data).toBe(`Too many requests, please try again in ${seconds} seconds`);
    }
    expect((await stage.person().get(key)).status).toBe(200);
    const attempt = () => ada.post(login, { username: "nobody", password: "wrong" });
    const codes = [await attempt(), await attempt(), await attempt()].map(({ body }) => body.code);
    expect(codes).toEqual(["credentials_invalid", "credentials_invalid", "rate_limited"]);
    stage.advance(61_000);
    expect((await ada.get(key)).status).toBe(200);
    expect((await attempt()).body.code).toBe("credentials_invalid");
  });

  test("requests for unknown URLs are counted too", async () => {
    await using stage = await openStage({ env: { LIMITS: "other=5/60" } });
    const eve = stage.person();
    const codes = [];
    for (let step = 0; step < 6; step += 1) codes.push((await eve.get(`/api/nothing${step}`)).body.code);
    expect(codes).toEqual([...Array<string>(5).fill("not_found"), "rate_limited"]);
    // a visitor's calls that need a session count towards the same limit
    expect((await eve.get("/api/user/me")).body.code).toBe("rate_limited");
  });

  test("a made-up X-Forwarded-For gains nothing", async () => {
    const tries = async (proxies: string, forwarded: (time: number) => string) => {
      await using stage = await openStage({ env: { LIMITS: "public=2/60", TRUSTED_PROXIES: proxies } });
      const codes = [];
      for (let time = 0; time < 3; time += 1) {
        const headers = { "x-forwarded-for": forwarded(time) };
        codes.push((await stage.person().get("/api/functions/get-stripe-key", headers)).status);
      }
      return codes;
    };
    expect(await tries("0", (time) => `192.0.2.${time}`)).toEqual([200, 200, 429]);
    expect(await tries("1", (time) => `192.0.2.${time}, 198.51.100.1`)).toEqual([200, 200, 429]);
    expect(await tries("1", (time) => `2001:db8::${time + 1}`)).toEqual([200, 200, 429]);
    expect(await tries("1", (time) => `192.0.2.7:${5000 + time}`)).toEqual([200, 200, 429]);
    expect(await tries("1", (time) => `192.0.2.${time}`)).toEqual([200, 200, 200]);
  });
});
