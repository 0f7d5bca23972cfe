import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { refusalCodes } from "@/contract/vocabulary/refusals";
import { oauthErrors } from "@/contract/wire/sign-in";
import { minute } from "@/contract/vocabulary/time";
import { validationCodes } from "@/contract/vocabulary/kinds";
import { operator } from "@/core/base/actor";
import { addServerKey } from "@/domain/keys/server-keys";
import { putBack } from "../../support/checks/put-back";
import { openStage, type Stage } from "../../support/shop/stage";
import { appoint } from "../../support/people/desk";
import { codeAt, turnOnMfa } from "../accounts/people";
import { callsOf } from "./calls";
import { anyAttempt, type Attempt } from "./hostile";
import { type Answered, askRaw } from "./wire";
import { unlimited } from "../../support/shop/unlimited";

/*
 * ANY_REQUESTS=250000 bun test tests/stories/api/any-request.test.ts    a longer run
 * ANY_REQUESTS_SEED=7 …                                             other requests
 */
const runs = Number(process.env["ANY_REQUESTS"] ?? 5_000);
const seed = Number(process.env["ANY_REQUESTS_SEED"] ?? 20_261_121);

test(
  "nothing that a client sends causes a 500, and no answer or log line reveals a secret",
  async () => {
    await using stage = await openStage({ discord: true, env: unlimited });
    const insider = await customer(stage);
    const calls = callsOf((await stage.person().get("/api/openapi.json")).body);
    const seen = new Map<string, number>();
    const property = fc.asyncProperty(anyAttempt(calls, insider), async (attempt) => {
      await insider.stayIn();
      stage.lines.length = 0;
      const answer = await askRaw(stage.url, attempt.asked);
      judge(attempt, answer);
      const text = answer ? `${[...answer.headers].join("\n")}\n${answer.body}` : "";
      const log = stage.lines.join("\n");
      expect(insider.neverSaid.filter((secret) => text.includes(secret))).toEqual([]);
      expect(insider.neverLogged.filter((secret) => log.includes(secret))).toEqual([]);
      const outcome = String(answer?.status ?? "hung up");
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
    });
    await fc.assert(property, { numRuns: runs, seed });
    console.log(
      `${runs} requests to ${calls.length} calls, seed ${seed}:`,
      Object.fromEntries([...seen].toSorted(([a], [b]) => a.localeCompare(b))),
    );
    // the test means something only if many requests pass the first checks
    expect(seen.get("200") ?? 0).toBeGreaterThan(runs / 10);
    expect(seen.get("400") ?? 0).toBeGreaterThan(runs / 10);
  },
  15 * minute + runs * 40,
);

test("a malformed request is refused or cut off, and the shop carries on", async () => {
  await using stage = await openStage({ env: unlimited });
  const me = "/api/user/me";
  const targets = [
    "",
    " ",
    "*",
    "me",
    `${me} x`,
    `${me}\0`,
    `${me}\r`,
    "/api/\xff\xfe",
    `/${"x".repeat(100_000)}`,
    "http://",
    "//",
  ];
  const headers: [string, string][][] = [
    [["a b", "c"]],
    [["", "x"]],
    [["x", "a\0b"]],
    [["x", "a\rb"]],
    [["content-length", "-1"]],
    [["content-length", "5, 6"]],
    [["transfer-encoding", "chunked, chunked"]],
    [["transfer-encoding", "gzip"]],
    [["cookie", "x".repeat(100_000)]],
    Array.from({ length: 500 }, (_, at): [string, string] => [`x${at}`, "y"]),
  ];
  for (const method of ["GET", "POST", "get", "", "G\0T", "x".repeat(500)]) {
    for (const target of [me, ...targets])
      expectCutOff(await askRaw(stage.url, { method, target, headers: [], body: undefined }));
    for (const odd of headers)
      expectCutOff(await askRaw(stage.url, { method, target: me, headers: odd, body: undefined }));
  }
  expect((await stage.person().get("/api/health")).status).toBe(200);
  expect(stage.lines.filter((line) => line.includes('"error"'))).toEqual([]);
});

test("the end of a request is unambiguous, so that no request can be smuggled in another", async () => {
  await using stage = await openStage();
  const both: [string, string] = ["transfer-encoding", "chunked"];
  const hidden = Buffer.from("0\r\n\r\nGET /api/health HTTP/1.1\r\nhost: x\r\n\r\n");
  const doubtful: [string, string][][] = [
    [both],
    [["content-length", "5"]],
    [["transfer-encoding", "xchunked"]],
    [["transfer-encoding ", "chunked"]],
    [both, ["transfer-encoding", "identity"]],
    [["x", "y\r\n transfer-encoding: chunked"]],
  ];
  for (const headers of doubtful) {
    // askRaw also sends the body's length
    const answer = await askRaw(stage.url, {
      method: "POST",
      target: "/api/auth/logout",
      headers,
      body: hidden,
    });
    expect([headers, answer?.status]).toEqual([headers, 400]);
  }
  expect(stage.lines.filter((line) => line.includes('"message":"request"'))).toEqual([]);
});

test("a response that breaks the rules is reported", () => {
  const [call] = callsOf({ paths: { "/api/x": { get: { responses: {} } } } });
  if (!call) throw new Error("a call was described");
  const asked = { method: "GET", target: "/api/x", headers: [], body: undefined };
  const headers = new Headers({ "x-content-type-options": "nosniff" });
  const judged = (status: number, body: string) => () =>
    judge({ call: { ...call, bare: false }, asked }, { status, headers, body });
  expect(judged(200, '{"status":200,"data":null}')).not.toThrow();
  expect(judged(500, '{"status":500,"data":"","code":"internal"}')).toThrow();
  expect(judged(200, '{"status":400,"data":null}')).toThrow();
  expect(judged(404, '{"status":404,"data":"gone","code":"nonsense"}')).toThrow();
  expect(judged(404, "gone")).toThrow();
});

/** What Bun itself answers to what it can't read, such as 505, or what the shop answers. */
function expectCutOff(answer: Answered | null) {
  expect(answer?.status ?? 400).toBeGreaterThanOrEqual(400);
  expect(answer?.status).not.toBe(500);
}

const inOAuthsForm = /^\/api\/app\/v1\/device\//;

/** Never a 5xx, and always the envelope, which calls without one use for refusals. */
function judge({ call, asked }: Attempt, answer: Answered | null): void {
  if (!answer) throw new Error("the server hung up");
  expect(answer.status).toBeWithin(200, 500);
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  if (asked.method === "HEAD") return expect(answer.body).toBe("");
  if (answer.status < 400 && call.bare) return;
  const body = JSON.parse(answer.body);
  // the target may have become another call's
  if (inOAuthsForm.test(call.path) && body.error) return expect(oauthErrors).toContain(body.error);
  expect(body.status).toBe(answer.status);
  expect(body).toContainKey("data");
  if (answer.status < 400) return;
  expect(body.data).toBeString();
  // clients rely on the headline, in the calls that have one
  if (body.status_message !== undefined) return expect(body.status_message).toBeString();
  const verdicts: readonly string[] = call.path.startsWith("/api/app/") ? validationCodes : [];
  expect([...refusalCodes, ...verdicts]).toContain(body.code);
}

/** An owner at the desk with a licence, who is signed in again whenever a request signs them out. */
async function customer(stage: Stage) {
  const { client } = stage.ctx.store;
  const password = "canary-4-password-17";
  const key = await stage.handOut();
  const person = stage.person();
  expect((await person.register(key, "insider", password)).status).toBe(200);
  const { secret } = await turnOnMfa(stage, person, password);
  await appoint(stage.ctx, "insider", "owner");
  const entered = await person.post("/api/desk/enter", { security_code: codeAt(stage, secret) });
  expect(entered.status).toBe(200);
  const desk = person.cookies.get("desk") ?? "";
  const { email, api_key: apiKey } = (await person.get("/api/user/me")).body.data;
  const session = person.cookies.get("session") ?? "";
  // requests can change or delete the account, so it is restored now and then
  const again = [
    await putBack(client, "accounts"),
    await putBack(client, "sessions"),
    await putBack(client, "staff"),
    await putBack(client, "desk_sessions", { key: "token_hash" }),
  ];
  const { key: serverKey } = await addServerKey(stage.ctx, "any", { actor: operator, reason: "a story" });
  let time = 0;
  const secrets = [
    Buffer.alloc(32, 7).toString("base64"),
    stage.stripe.secretKey,
    stage.stripe.webhookSecret,
    password,
    session,
    desk,
    secret,
    serverKey,
  ];
  return {
    fields: { username: "insider", password, old_password: password, key: await stage.handOut() },
    session,
    desk,
    token: apiKey,
    serverKey,
    neverSaid: secrets,
    neverLogged: [...secrets, apiKey, email, key],
    async stayIn() {
      if (time % 10 === 0) await client.batch(again, "write");
      time += 1;
    },
  };
}
