import { connect } from "node:net";
import { expect, spyOn, test } from "bun:test";
import { nestsDeeper } from "@/api/json-body";
import { minute } from "@/contract/vocabulary/time";
import { atDesk } from "../../support/people/desk";
import type { Person } from "../../support/people/person";
import { eventually, openStage, type Stage } from "../../support/shop/stage";
import { member, tally } from "../accounts/people";
import { callsOf } from "./calls";

const json = { "content-type": "application/json" };
/** Nested this deep in a list, or in a field; 58 kB are within every limit of size. */
const bodies = (levels: number) => [
  "[".repeat(levels),
  "[".repeat(levels) + "]".repeat(levels),
  `{"a":`.repeat(levels) + "1" + "}".repeat(levels),
  `{"username":"[[[\\"","password":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`,
];

/** The texts that JSON.parse got while `run` ran, including all that the shop parses. */
async function parsedWhile(run: () => Promise<unknown>): Promise<string[]> {
  using spy = spyOn(JSON, "parse");
  await run();
  return spy.mock.calls.map(([text]) => text);
}

test("JSON of more than 32 levels is refused with 400 by every call that takes a body, before it is parsed", async () => {
  const names = ["own", "app", "desk", "other", "refused-body", "public"];
  await using stage = await openStage({
    env: { LIMITS: names.map((name) => `${name}=1000000/60`).join(",") },
  });
  const sam = await member(stage, "sam");
  const { person: olga } = await atDesk(stage, "olga", "owner");
  const { api_key: token } = (await sam.get("/api/user/me")).body.data;
  const calls = callsOf((await stage.person().get("/api/openapi.json")).body).filter(
    ({ body }) => body !== undefined,
  );
  expect(calls.length).toBeGreaterThan(20);
  for (const { method, path, security } of calls) {
    const headers = security === "token" ? { ...json, authorization: `Bearer ${token}` } : json;
    for (const body of [...bodies(33), ...bodies(5_000)]) {
      // each from an address of its own, so that no limit answers first
      const person = { session: sam, desk: olga }[security as string] ?? stage.person();
      const parsed = await parsedWhile(async () => {
        const answer = await person.send(method, path.replaceAll(/\{\w+\}/g, "x"), { headers, body });
        expect([path, answer.status]).toEqual([path, 400]);
      });
      // the texts of the parser's error and of the answer
      expect(parsed.filter((text) => nestsDeeper(text, 32))).toEqual([]);
    }
  }
});

test("an address that sent refused bodies is turned away before its next body is parsed, and no other address is", async () => {
  await using stage = await openStage();
  const eve = stage.person();
  const send = (path: string, body: string, headers = {}) =>
    eve.send("POST", path, { headers: { ...json, ...headers }, body });
  const refused = await Promise.all([
    ...Array.from({ length: 100 }, () => send("/api/auth/login", "[".repeat(58_000))),
    ...Array.from({ length: 100 }, () => send("/api/auth/register", '{"username":1}')),
    ...Array.from({ length: 100 }, () => send("/api/stripe/webhook", "{}", { "stripe-signature": "x" })),
  ]);
  expect(tally(refused)).toEqual({ 400: 300 });
  const right = { username: "nobody", password: "a long enough phrase", mark: "unparsed" };
  const parsed = await parsedWhile(async () => {
    for (const path of ["/api/auth/login", "/api/stripe/webhook", "/api/payments/find"])
      expect((await send(path, JSON.stringify(right))).status).toBe(429);
  });
  expect(parsed.filter((text) => text.includes("unparsed"))).toEqual([]);
  expect((await stage.person().post("/api/auth/login", right)).status).toBe(401);
  expect((await eve.get("/api/offers")).status).toBe(200);
  stage.advance(minute);
  expect((await eve.post("/api/auth/login", right)).status).toBe(401);
});

test("a limit by address answers before the body is parsed", async () => {
  await using stage = await openStage();
  const useUp = async (path: string, body: object, most: number) => {
    const eve = stage.person();
    for (let time = 0; time <= most; time += 1) await eve.post(path, body);
    const parsed = await parsedWhile(async () => {
      const last = await eve.post(path, { ...body, mark: "unparsed" });
      expect([path, last.status]).toEqual([path, 429]);
    });
    expect([path, parsed.filter((text) => text.includes("unparsed"))]).toEqual([path, []]);
  };
  const email = "pia@example.com";
  const password = "a long enough phrase";
  const registration = { username: "pia", email, password, key: "x", timezone: "UTC" };
  await useUp("/api/auth/register", registration, 10);
  // ten a minute an address, of which five to each name
  const eve = stage.person();
  for (let time = 0; time < 11; time += 1)
    await eve.post("/api/auth/login", { username: `nobody${time}`, password });
  const parsed = await parsedWhile(async () => {
    const last = await eve.post("/api/auth/login", { username: "unparsed", password });
    expect(last.status).toBe(429);
  });
  expect(parsed.filter((text) => text.includes("unparsed"))).toEqual([]);
  await useUp("/api/user/password/forgot", { email, code: "123456" }, 20);
  await useUp("/api/user/password/forgot-reset", { email, code: "123456", password }, 10);
  await useUp("/api/user/email/decline", { token: "x" }, 10);
  await useUp("/api/user/email/confirm", { token: "x" }, 10);
  await useUp("/api/payments/find", { email }, 3);
  await useUp("/api/stripe/create-checkout-session", { currency: "usd" }, 10);
});

test("half a character is read as U+FFFD and causes no 500, and whole ones are read", async () => {
  await using stage = await openStage();
  for (const code of ["\\ud800", "a\\uDFFFb", "\\udc00\\ud800", "\\ud83d\\ude00"]) {
    const body = `{"currency":"usd","code":"${code}"}`;
    const url = new URL("/api/stripe/create-checkout-session", stage.url);
    const answer = await fetch(url, { method: "POST", headers: json, body });
    expect([code, await answer.json()]).toMatchObject([code, { status: 400, code: "code_unknown" }]);
  }
});

test("a file that doesn't say how long it is, is read only once its sender is known and has a turn", async () => {
  await using stage = await openStage();
  const ada = await member(stage, "ada");
  const asked = await ada.post("/api/tickets", { topic: "other", question: "See the file" });
  const path = `/api/tickets/${asked.body.data.id}/files?name=a.bin`;
  expect(await statusBeforeTheEnd(stage, stage.person(), `POST ${path}`)).toBe("401");
  const first = statusBeforeTheEnd(stage, ada, `POST ${path}`);
  await Bun.sleep(200);
  expect(await statusBeforeTheEnd(stage, ada, `POST ${path}`)).toBe("429");
  expect(await first).toBe("none");
  // who sent half of it and left is in nobody's way
  await eventually(async () => (await statusBeforeTheEnd(stage, ada, `POST ${path}`)) === "none");
  const { person: olga } = await atDesk(stage, "olga", "owner");
  const part = "PUT /api/desk/releases/uploads/none/parts/0";
  expect(await statusBeforeTheEnd(stage, olga, part)).toBe("404");
});

/** Sends the beginning of a body whose length is not said, and no more; the status that comes, if any. */
async function statusBeforeTheEnd(stage: Stage, person: Person, call: string): Promise<string> {
  const socket = connect(Number(stage.url.port), stage.url.hostname);
  const head = Promise.withResolvers<string>();
  socket.once("data", (data) => head.resolve(String(data)));
  socket.on("error", head.reject);
  const headers = {
    ...person.headers(),
    host: stage.url.host,
    "content-type": "application/octet-stream",
    "transfer-encoding": "chunked",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.write(`${[`${call} HTTP/1.1`, ...lines].join("\r\n")}\r\n\r\n1000\r\n${"x".repeat(0x1000)}\r\n`);
  const answered = await Promise.race([head.promise, Bun.sleep(1_500).then(() => "HTTP/1.1 none")]);
  socket.destroy();
  return answered.split(" ")[1] ?? "";
}
